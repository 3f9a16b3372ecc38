import Facts
import Foundation
import Live
import Synchronization

/// One flow of the grid: a cell and a pattern, which counts from 1.
package struct FidelityTask: Hashable, Sendable {
    package let cell: FidelityCell
    package let pattern: Int

    /// Whether the flow runs at full rate for a long time, which takes half a processor.
    fileprivate var isHeavy: Bool {
        cell.rateMegabits >= 100
            && (cell.lossPerMille == 0 || cell.controller == .bbr
                || (cell.lossPerMille == 1 && cell.roundTripMilliseconds == 10))
    }

    /// Returns the flows that these cells still lack, pattern by pattern.
    package static func missing(
        in data: FidelityData, of cells: [FidelityCell]
    ) -> [FidelityTask] {
        (1...(cells.map(\.patterns.count).max() ?? 1)).flatMap { pattern in
            cells.filter { $0.patterns.contains(pattern) }
                .filter { data[cell: $0].validRun(pattern: pattern) == nil }
                .map { FidelityTask(cell: $0, pattern: pattern) }
        }
    }
}

/// Measures the grid in the kernel: several flows at a time, each in networks of its own. Each run
/// is written to the file as soon as it is over, so an interrupted measurement can continue.
package struct FidelityMeasurement: Sendable {
    /// Plays one flow through the kernel; tests use something quicker.
    package typealias Carry = @Sendable (FidelityTask) throws(RunFailure) -> KernelRun

    private let file: FidelityFile
    private let jobs: Int
    private let carry: Carry

    /// How often a flow is tried if the emulator is too late.
    private static let attempts = 3

    package init(_ file: FidelityFile, jobs: Int, carry: @escaping Carry) {
        self.file = file
        self.jobs = jobs
        self.carry = carry
    }

    /// Plays flows over an emulated link, and writes a trace of each, if there is a folder for it.
    package static func overEmulatedLinks(tracing traces: FlowTraces?) -> Carry {
        { task throws(RunFailure) in
            let flow: KernelFlow
            do throws(EmulationError) {
                flow = try KernelFlow(
                    task.cell.plan(pattern: task.pattern),
                    controller: task.cell.controller.rawValue)
            } catch {
                throw RunFailure(
                    error == .interrupted
                        ? "\(error); finished measurements are kept, and the same command continues"
                        : "\(error)")
            }
            try traces?.write(flow, of: task)
            return KernelRun(flow, pattern: task.pattern)
        }
    }

    /// Returns the data with everything that was measured; the first failure ends the measurement.
    package func run(
        _ tasks: [FidelityTask], data: FidelityData,
        progress: @escaping @Sendable (FidelityTask, KernelRun) -> Void
    ) throws(RunFailure) -> FidelityData {
        let board = Board(tasks, data: data, heavyLimit: max(1, jobs / 3))
        let finished = DispatchSemaphore(value: 0)
        for _ in 0..<jobs {
            let worker = Thread {
                work(on: board, progress)
                finished.signal()
            }
            worker.start()
        }
        for _ in 0..<jobs { finished.wait() }
        return try board.result()
    }

    private func work(
        on board: Board, _ progress: @Sendable (FidelityTask, KernelRun) -> Void
    ) {
        while let task = board.next() {
            do throws(RunFailure) {
                let run = try carry(task)
                try board.note(run, of: task, attempts: Self.attempts, in: file)
                progress(task, run)
            } catch {
                return board.fail(error)
            }
        }
    }
}

/// The flows still to be measured, shared by the threads.
private final class Board: Sendable {
    private struct State {
        var waiting: [FidelityTask]
        var data: FidelityData
        var heavy = 0
        var tries: [FidelityTask: Int] = [:]
        var failure: RunFailure?
    }

    private let state: Mutex<State>
    private let heavyLimit: Int

    init(_ tasks: [FidelityTask], data: FidelityData, heavyLimit: Int) {
        state = Mutex(State(waiting: tasks, data: data))
        self.heavyLimit = heavyLimit
    }

    /// Returns the next flow that fits beside those under way. If only heavy ones are left, it
    /// returns `nil`: the threads with heavy flows take them later.
    func next() -> FidelityTask? {
        state.withLock { state in
            let mayBeHeavy = state.heavy < heavyLimit
            guard state.failure == nil,
                let index = state.waiting.firstIndex(where: { mayBeHeavy || !$0.isHeavy })
            else { return nil }
            let task = state.waiting.remove(at: index)
            if task.isHeavy { state.heavy += 1 }
            return task
        }
    }

    func note(
        _ run: KernelRun, of task: FidelityTask, attempts: Int, in file: FidelityFile
    ) throws(RunFailure) {
        try state.withLock { state throws(RunFailure) in
            if task.isHeavy { state.heavy -= 1 }
            state.tries[task, default: 0] += 1
            if !run.emulator.wasInTime, state.tries[task, default: 0] < attempts {
                state.waiting.append(task)
            }
            state.data[cell: task.cell].note(run)
            try file.write(state.data)
        }
    }

    func fail(_ failure: RunFailure) {
        state.withLock { state in
            if state.failure == nil { state.failure = failure }
        }
    }

    func result() throws(RunFailure) -> FidelityData {
        try state.withLock { state throws(RunFailure) in
            if let failure = state.failure { throw failure }
            return state.data
        }
    }
}
