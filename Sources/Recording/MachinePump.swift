package import Quantities
package import RunLog
package import TransferEngine

/// A machine with its recorders, as every process of both worlds runs it.
///
/// The host of a process tells the machine its inputs and takes turns until no input is left. The
/// host first records each output of a turn, then carries it out.
package struct MachinePump<Machine: FlightMachine> {
    private let making: Machine.Making
    private var machine: Machine
    package var recorder: Machine.Recorder
    private var flight: FlightRecorder<Machine>?
    /// The inputs, and the number of inputs that the machine has handled.
    private var inputs: [Machine.Input] = []
    private var heard = 0
    package private(set) var deadline: Instant?
    private var latestTurn = Instant.start

    package init(
        _ making: Machine.Making, recordedBy recorder: Machine.Recorder, countsCells: Bool = false
    ) {
        self.making = making
        machine = Machine(making)
        if countsCells { machine.countCells() }
        self.recorder = recorder
    }

    /// Begins to record the machine's flight, and returns the beginning of its file.
    package mutating func recordFlight(from now: Instant) -> [UInt8] {
        flight = FlightRecorder(making, at: now)
        return FlightRecorder<Machine>.beginning
    }

    /// Returns what the flight recorder has written since the last call.
    package mutating func takeFlight() -> [UInt8] { flight?.takeBlock() ?? [] }

    // MARK: Inputs

    // What is specialised here is called for every input and output, from other rooms.

    @specialized(where Machine == TransferEngine)
    @specialized(where Machine == TransferDaemon)
    package mutating func tell(_ input: Machine.Input) { inputs.append(input) }

    @specialized(where Machine == TransferEngine)
    @specialized(where Machine == TransferDaemon)
    package mutating func tell(_ event: AttemptInput) { inputs.append(.attempt(event)) }

    /// Wakes the machine if its deadline has come.
    package mutating func wake(at now: Instant) {
        if let deadline, deadline <= now { inputs.append(.wake) }
    }

    /// Drops the inputs that the machine has not handled.
    package mutating func forgetInputs() {
        inputs = []
        heard = 0
    }

    /// Ends the process: drops its inputs and its deadline.
    package mutating func stop() {
        forgetInputs()
        deadline = nil
    }

    /// The input that the machine handles next; `nil` if none is left.
    package var next: Machine.Input? { heard < inputs.count ? inputs[heard] : nil }

    package var isIdle: Bool { heard == inputs.count && deadline == nil }

    package var cells: ReachedCells? { machine.cells }

    // MARK: Turns

    /// Lets the machine handle the next input, and returns its outputs; `nil` if no input is left.
    @specialized(where Machine == TransferEngine)
    @specialized(where Machine == TransferDaemon)
    package mutating func turn(at now: Instant, into log: inout RunLogSink) -> [Machine.Output]? {
        guard let input = next else { return nil }
        heard += 1
        // Removing the first input would be slower in unspecialised code, which other targets use.
        if heard == inputs.count { forgetInputs() }
        latestTurn = now
        recorder.record(input, at: now, into: &log)
        var outputs: [Machine.Output] = []
        deadline = machine.handle(input, at: now, into: &outputs)
        flight?.record(input, giving: outputs, wakingAt: deadline, at: now)
        return outputs
    }

    /// Records an output of the latest turn.
    @specialized(where Machine == TransferEngine)
    @specialized(where Machine == TransferDaemon)
    package mutating func record(_ output: Machine.Output, into log: inout RunLogSink) {
        recorder.record(output, at: latestTurn, into: &log)
    }
}

extension MachinePump<TransferEngine> {
    /// Tells the first inputs of a launch: the content of the app's store.
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
    /// Puts the present network in the place of the first one that came while the store was not
    /// open: nothing may begin over one that is gone.
    private mutating func forgetEarlierNetworks() {
        let places = inputs.indices.filter { place in
            if place >= heard, case .network = inputs[place] { true } else { false }
        }
        guard let first = places.first, let last = places.last else { return }
        inputs[first] = inputs[last]
        for place in places.dropFirst().reversed() { inputs.remove(at: place) }
    }

    /// Inserts the first inputs of a start, before those that came while the store was not open.
    package mutating func opened(
        _ tasks: [TaskRecord], delays: [BackgroundDelay], clearings: [UInt32],
        after setAside: TaskStoreSetAside?, at now: Instant, into log: inout RunLogSink
    ) {
        recorder.recordOpening(tasks, delays: delays, after: setAside, at: now, into: &log)
        forgetEarlierNetworks()
        if let setAside { inputs.insert(.storeWasSetAside(setAside), at: heard) }
        inputs.insert(.restored(tasks, delays: delays, clearings: clearings), at: heard)
    }

    /// The pause before the system restarts a daemon that could not open its store.
    package static var reopeningPause: TimeSpan { .seconds(10) }
}
