package import Facts
package import Quantities
package import RunLog
package import TransferEngine

/// Turns what a machine is told and what it wants into events of the log.
package protocol MachineRecorder<Input, Output> {
    associatedtype Input
    associatedtype Output

    mutating func record(_ input: Input, at now: Instant, into log: inout RunLogSink)
    mutating func record(_ output: Output, at now: Instant, into log: inout RunLogSink)

    /// A connection is on this interface of its phone, where there is a choice or was one.
    mutating func record(
        _ connection: ConnectionID, boundTo interface: UInt16, at now: Instant,
        into log: inout RunLogSink)

    /// A connection is over, and so many bytes of its stream had left by then.
    mutating func record(
        end: ConnectionEnd, of connection: ConnectionID, transmitted: ByteCount, at now: Instant,
        into log: inout RunLogSink)

    /// The name of a connection in the run.
    func name(_ connection: ConnectionID) -> ConnectionName
}

extension EngineRecorder: MachineRecorder {
    package typealias Input = EngineInput
    package typealias Output = EngineOutput
}

extension DaemonRecorder: MachineRecorder {
    package typealias Input = DaemonInput
    package typealias Output = DaemonOutput
}
