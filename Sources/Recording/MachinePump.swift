package import Quantities
package import RunLog
package import TransferEngine

/// A machine at work, with its recorders: one and the same in every process of both worlds.
///
/// The host of a process tells the machine what happens, takes turns until there are none left,
/// and records and carries out what each turn wants, in this order. Only the carrying out is the
/// host's own.
package struct MachinePump<Machine: FlightMachine> {
    private let making: Machine.Making
    private var machine: Machine
    package var recorder: Machine.Recorder
    private var flight: FlightRecorder<Machine>?
    /// What the machine has been told, and how much of it the machine has heard.
    private var inputs: [Machine.Input] = []
    private var heard = 0
    /// When the machine wants to be woken.
    package private(set) var deadline: Instant?
    /// The time of the latest turn.
    private var latestTurn = Instant.start

    package init(
        _ making: Machine.Making, recordedBy recorder: Machine.Recorder, countsCells: Bool = false
    ) {
        self.making = making
        machine = Machine(making)
        if countsCells { machine.countCells() }
        self.recorder = recorder
    }

    /// Begins to record the machine's flight, and returns how its file begins.
    package mutating func recordFlight(from now: Instant) -> [UInt8] {
        flight = FlightRecorder(making, at: now)
        return FlightRecorder<Machine>.beginning
    }

    /// Returns what the flight recorder has written since it was last asked.
    package mutating func takeFlight() -> [UInt8] { flight?.takeBlock() ?? [] }

    // MARK: What happens

    package mutating func tell(_ input: Machine.Input) { inputs.append(input) }

    package mutating func tell(_ event: AttemptInput) { inputs.append(.attempt(event)) }

    /// Tells the machine of its deadline, if that has come.
    package mutating func wake(at now: Instant) {
        if let deadline, deadline <= now { inputs.append(.wake) }
    }

    /// Forgets what the machine has not heard.
    package mutating func forgetInputs() {
        inputs = []
        heard = 0
    }

    /// The process ends: nothing is told to the machine any more, and nothing wakes it.
    package mutating func stop() {
        forgetInputs()
        deadline = nil
    }

    package var isIdle: Bool { heard == inputs.count && deadline == nil }

    package var cells: ReachedCells? { machine.cells }

    // MARK: Turns

    /// Lets the machine hear what it was told next, and returns what it wants; `nil` if it has
    /// heard everything.
    package mutating func turn(at now: Instant, into log: inout RunLogSink) -> [Machine.Output]? {
        guard heard < inputs.count else { return nil }
        let input = inputs[heard]
        heard += 1
        // Unspecialised, as other rooms use this code, to take the first input away costs more.
        if heard == inputs.count { forgetInputs() }
        latestTurn = now
        recorder.record(input, at: now, into: &log)
        var outputs: [Machine.Output] = []
        deadline = machine.handle(input, at: now, into: &outputs)
        flight?.record(input, giving: outputs, wakingAt: deadline, at: now)
        return outputs
    }

    /// Records what the latest turn wants.
    package mutating func record(_ output: Machine.Output, into log: inout RunLogSink) {
        recorder.record(output, at: latestTurn, into: &log)
    }
}

extension MachinePump<TransferEngine> {
    /// The first inputs of a launch: what the app's store was found to hold.
    package mutating func opened(
        _ sessions: [SessionRecord], _ entries: [EntryRecord], accounts: [AccountRecord],
        after setAside: StoreSetAside?, at now: Instant, into log: inout RunLogSink
    ) {
        recorder.recordOpening(after: setAside, at: now, into: &log)
        tell(.restored(sessions, accounts: accounts))
        if let setAside { tell(.storeWasSetAside(setAside)) }
        if !entries.isEmpty { tell(.heldEntries(entries)) }
    }
}

extension MachinePump<TransferDaemon> {
    /// The first inputs of a start, before all that has happened while the store was not open.
    package mutating func opened(
        _ tasks: [TaskRecord], delays: [BackgroundDelay], clearings: [UInt32],
        after setAside: TaskStoreSetAside?, at now: Instant, into log: inout RunLogSink
    ) {
        recorder.recordOpening(tasks, delays: delays, after: setAside, at: now, into: &log)
        if let setAside { inputs.insert(.storeWasSetAside(setAside), at: heard) }
        inputs.insert(.restored(tasks, delays: delays, clearings: clearings), at: heard)
    }

    /// How long the system waits until it starts a daemon again that could not open its store.
    package static var reopeningPause: TimeSpan { .seconds(10) }
}
