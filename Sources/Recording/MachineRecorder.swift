package import Facts
package import Quantities
package import RunLog
package import TransferEngine

/// Writes a machine's inputs and outputs to the log as facts.
package protocol MachineRecorder<Input, Output> {
    associatedtype Input
    associatedtype Output

    mutating func record(_ input: Input, at now: Instant, into log: inout RunLogSink)
    mutating func record(_ output: Output, at now: Instant, into log: inout RunLogSink)

    /// Records a fact of the machine with the names of the run.
    mutating func record(_ fact: Fact, at now: Instant, into log: inout RunLogSink)

    /// The name of a connection in the run.
    func name(_ connection: ConnectionID) -> ConnectionName
}

extension MachineRecorder {
    /// Records the interface of a connection, if the phone has or had several.
    package mutating func record(
        _ connection: ConnectionID, boundTo interface: UInt16, at now: Instant,
        into log: inout RunLogSink
    ) {
        let fact = ConnectionFact.bound(connection.name, interface: interface)
        record(.connection(fact) as Fact, at: now, into: &log)
    }

    /// Records that TCP is connected, and that TLS begins.
    package mutating func record(
        _ connection: ConnectionID, securedWith words: String, at now: Instant,
        into log: inout RunLogSink
    ) {
        let fact = ConnectionFact.securing(connection.name, with: words)
        record(.connection(fact) as Fact, at: now, into: &log)
    }

    /// Records the end of a connection, with the number of its stream's bytes that have left.
    package mutating func record(
        end: ConnectionEnd, of connection: ConnectionID, transmitted: ByteCount, at now: Instant,
        into log: inout RunLogSink
    ) {
        let fact = ConnectionFact.ended(connection.name, why: end, transmitted: transmitted)
        record(.connection(fact) as Fact, at: now, into: &log)
    }
}

extension EngineRecorder: MachineRecorder {
    package typealias Input = EngineInput
    package typealias Output = EngineOutput
}

extension DaemonRecorder: MachineRecorder {
    package typealias Input = DaemonInput
    package typealias Output = DaemonOutput
}
