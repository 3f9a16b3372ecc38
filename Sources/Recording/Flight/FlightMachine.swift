package import Content
package import Protocols
package import Quantities
package import TransferEngine

/// A machine whose flights can be recorded: an engine or a transfer daemon.
///
/// Its outputs follow from its making and its inputs alone, so only these are recorded. A digest of
/// the outputs shows whether a replay gives the same outputs.
package protocol FlightMachine {
    associatedtype Input: MachineInput
    associatedtype Output: Encodable & Sendable
    /// The arguments that the machine is made with.
    associatedtype Making: Codable & Hashable & Sendable
    /// The type that writes the machine's facts to the log.
    associatedtype Recorder: MachineRecorder<Input, Output>

    /// The kind of machine, named in the title of a recording.
    static var kind: String { get }

    init(_ making: Making)

    mutating func handle(
        _ input: Input, at now: Instant, into outputs: inout [Output]
    ) -> Instant?

    mutating func countCells()
    var cells: ReachedCells? { get }

    /// Returns the bytes that have come on a connection, if that is the input.
    static func received(_ input: Input) -> (ConnectionID, [Segment])?
    /// Returns the output of an attempt, if that is the output.
    static func attempt(_ output: Output) -> AttemptOutput?
    static func output(_ attempt: AttemptOutput) -> Output
}

/// The inputs of every machine that transfers.
package protocol MachineInput: Codable, Sendable {
    static var wake: Self { get }
    static func attempt(_ event: AttemptInput) -> Self
    static func network(_ status: NetworkStatus) -> Self
    static func persisted(_ ticket: PersistTicket) -> Self
    static func persistFailed(_ ticket: PersistTicket, reason: String) -> Self
}

extension EngineInput: MachineInput {}

extension DaemonInput: MachineInput {
    package static func persistFailed(_ ticket: PersistTicket, reason _: String) -> DaemonInput {
        .persistFailed(ticket)
    }
}

extension TransferEngine: FlightMachine {
    package typealias Recorder = EngineRecorder

    package struct Making: Codable, Hashable, Sendable {
        package var retryPolicy = RetryPolicy()
        package var asksForBackgroundTime = true
        package var tellsOfPaths = true
        package var identity: UInt64 = 0
        package var platform = Platform.iOS

        package init(
            asksForBackgroundTime: Bool, tellsOfPaths: Bool = true, identity: UInt64,
            platform: Platform
        ) {
            self.asksForBackgroundTime = asksForBackgroundTime
            self.tellsOfPaths = tellsOfPaths
            self.identity = identity
            self.platform = platform
        }
    }

    package static var kind: String { "engine" }

    package init(_ making: Making) {
        self.init(
            retryPolicy: making.retryPolicy, asksForBackgroundTime: making.asksForBackgroundTime,
            tellsOfPaths: making.tellsOfPaths, identity: making.identity,
            platform: making.platform)
    }

    package static func received(_ input: EngineInput) -> (ConnectionID, [Segment])? {
        guard case .attempt(.received(let connection, let segments)) = input else { return nil }
        return (connection, segments)
    }

    package static func attempt(_ output: EngineOutput) -> AttemptOutput? {
        switch output {
        case .attempt(let wanted): wanted
        case .note(let note): .note(note)
        case .persist, .tell, .askDaemon, .beginBackgroundTask, .endBackgroundTask: nil
        }
    }

    package static func output(_ attempt: AttemptOutput) -> EngineOutput { .attempt(attempt) }
}

extension TransferDaemon: FlightMachine {
    package typealias Recorder = DaemonRecorder

    package struct Making: Codable, Hashable, Sendable {
        package var identity: String
        package var connectionsBefore: UInt32
        package var resumes: ResumableUploadVersion?

        package init(
            identity: String, connectionsBefore: UInt32, resumes: ResumableUploadVersion?
        ) {
            self.identity = identity
            self.connectionsBefore = connectionsBefore
            self.resumes = resumes
        }
    }

    package static var kind: String { "daemon" }

    package init(_ making: Making) {
        self.init(
            of: making.identity, connectionsBefore: making.connectionsBefore,
            resumes: making.resumes)
    }

    package static func received(_ input: DaemonInput) -> (ConnectionID, [Segment])? {
        guard case .attempt(.received(let connection, let segments)) = input else { return nil }
        return (connection, segments)
    }

    package static func attempt(_ output: DaemonOutput) -> AttemptOutput? {
        guard case .attempt(let output) = output else { return nil }
        return output
    }

    package static func output(_ attempt: AttemptOutput) -> DaemonOutput { .attempt(attempt) }
}
