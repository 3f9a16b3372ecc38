import Dispatch
import Foundation
import Quantities
import Synchronization

/// Plays many runs, several at a time. The caller hears of progress in its own thread, and of
/// results in the order of the runs. A run that traps ends alone: its outcome is a failure, and
/// another thread goes on in the place of its own.
final class RunWorkers<Product: Sendable>: Sendable {
    typealias Outcome = Result<Product, RunFailure>

    private let state: Mutex<State>
    private let hasNews = DispatchSemaphore(value: 0)
    private let play: @Sendable (Int, (Instant) -> Void) -> Outcome
    /// Whether the other runs are still wanted after this one; `nil`: always.
    private let isGreen: (@Sendable (Product) -> Bool)?
    /// Names a run for people, with the command that plays it again.
    private let label: @Sendable (Int) -> String

    private struct State {
        let count: Int
        /// The first run that no thread has taken.
        var next = 0
        /// A run was not green, so no other is wanted.
        var isStopped = false
        /// Outcomes that the caller has not taken yet.
        var outcomes: [Int: Outcome] = [:]
        /// The runs under way, and how far each has come.
        var playing: [Int: Instant] = [:]

        var isOver: Bool { playing.isEmpty && (isStopped || next == count) }
    }

    /// With `isGreen`, no run begins after one that is not green or cannot be played.
    init(
        count: Int, failingUnless isGreen: (@Sendable (Product) -> Bool)? = nil,
        label: @escaping @Sendable (Int) -> String = { "run \($0 + 1)" },
        play: @escaping @Sendable (Int, (Instant) -> Void) -> Outcome
    ) {
        state = Mutex(State(count: count))
        self.isGreen = isGreen
        self.label = label
        self.play = play
    }

    /// Returns the outcomes by the runs' numbers. Runs that an earlier failure or an interruption
    /// left unplayed are missing. Without threads, runs are played in the caller's thread, and an
    /// interruption ends the row after the run under way; threads are left alone at once.
    func run(
        threads: Int, until isInterrupted: () -> Bool = { false },
        began: (Int) -> Void = { _ in }, reached: (Int, Instant) -> Void = { _, _ in },
        finished: (Int, Outcome) -> Void
    ) -> [Int: Outcome] {
        guard threads > 0 else {
            return runHere(
                until: isInterrupted, began: began, reached: reached, finished: finished)
        }
        var watches = (0..<threads).map { _ in startThread() }
        var firstTrapped: TrapWatch?
        var told = 0
        var toldOver = 0
        var outcomes: [Int: Outcome] = [:]
        while true {
            _ = hasNews.wait(timeout: .now() + .milliseconds(100))
            for place in watches.indices {
                guard let (run, trap) = watches[place].trap else { continue }
                end(run, .failure(RunFailure(trap)))
                firstTrapped = firstTrapped ?? watches[place]
                watches[place] = startThread()
            }
            let news = takeNews()
            outcomes.merge(news.outcomes) { _, latest in latest }
            for index in told..<news.next { began(index) }
            told = news.next
            if let latest = news.playing.max(by: { $0.key < $1.key }) {
                reached(latest.key, latest.value)
            }
            while let outcome = outcomes[toldOver] {
                finished(toldOver, outcome)
                toldOver += 1
            }
            if news.isOver {
                firstTrapped?.writeBacktrace()
                return outcomes
            }
            if isInterrupted() {
                state.withLock { $0.isStopped = true }
                return outcomes
            }
        }
    }

    /// Plays all runs, and returns their products in order; the first failure is thrown. `trapped`
    /// makes the product of a run that traps; without it, a trap is a failure.
    static func products(
        count: Int, jobs: Int, label: @escaping @Sendable (Int) -> String,
        play: @escaping @Sendable (Int) throws(RunFailure) -> Product,
        trapped: ((Int, RunTrap) -> Product)? = nil,
        finished: (Int, Outcome) -> Void = { _, _ in }
    ) throws(RunFailure) -> [Product] {
        let workers = RunWorkers(count: count, label: label) { index, _ in
            Result { () throws(RunFailure) in try play(index) }
        }
        func product(_ index: Int, _ outcome: Outcome) -> Outcome {
            guard case .failure(let failure) = outcome, let trap = failure.trap else {
                return outcome
            }
            return trapped.map { .success($0(index, trap)) }
                ?? .failure(RunFailure("\(label(index)): \(failure)"))
        }
        let outcomes = workers.run(threads: max(1, min(jobs, count))) {
            finished($0, product($0, $1))
        }
        var products: [Product] = []
        for index in 0..<count {
            if let outcome = outcomes[index] { products.append(try product(index, outcome).get()) }
        }
        return products
    }

    /// Plays one run on a thread of its own, so that a trap ends nothing else.
    static func product(
        label: String, trapped: ((RunTrap) -> Product)? = nil,
        play: @escaping @Sendable () throws(RunFailure) -> Product
    ) throws(RunFailure) -> Product {
        try products(
            count: 1, jobs: 1, label: { _ in label },
            play: { _ throws(RunFailure) in try play() },
            trapped: trapped.map { trapped in { _, trap in trapped(trap) } })[0]
    }

    private func startThread() -> TrapWatch {
        let watch = TrapWatch()
        let thread = Thread { watch.guarding { self.playAll(watch) } }
        thread.stackSize = 8 << 20
        thread.start()
        return watch
    }

    private func takeNews() -> State {
        state.withLock { state in
            defer { state.outcomes = [:] }
            return state
        }
    }

    private func runHere(
        until isInterrupted: () -> Bool, began: (Int) -> Void, reached: (Int, Instant) -> Void,
        finished: (Int, Outcome) -> Void
    ) -> [Int: Outcome] {
        while !isInterrupted(), let index = takeNext() {
            began(index)
            let outcome = play(index) { reached(index, $0) }
            end(index, outcome)
            finished(index, outcome)
        }
        return state.withLock { $0.outcomes }
    }

    private func playAll(_ watch: TrapWatch) {
        while let index = takeNext() {
            let outcome = watch.play(index, label: label(index)) {
                play(index) { now in self.state.withLock { $0.playing[index] = now } }
            }
            end(index, outcome)
            hasNews.signal()
        }
        hasNews.signal()
    }

    private func end(_ index: Int, _ outcome: Outcome) {
        state.withLock {
            $0.outcomes[index] = outcome
            $0.playing[index] = nil
            if isLast(outcome) { $0.isStopped = true }
        }
    }

    private func isLast(_ outcome: Outcome) -> Bool {
        guard let isGreen else { return false }
        switch outcome {
        case .success(let product): return !isGreen(product)
        case .failure: return true
        }
    }

    private func takeNext() -> Int? {
        state.withLock {
            guard !$0.isStopped, $0.next < $0.count else { return nil }
            $0.playing[$0.next] = .start
            $0.next += 1
            return $0.next - 1
        }
    }
}
