import Foundation
import Glibc
import RunLog

/// Writes events as lines, and keeps none back: what was written out survives a kill.
struct EventPipe {
    private let output: Int32

    init(to output: Int32) { self.output = output }

    /// One write for all that the sink holds, so that a kill seldom cuts a line.
    func drain(_ sink: inout RunLogSink) throws(SystemError) {
        var lines = Lines()
        sink.drain(into: &lines)
        try write(lines.bytes)
    }

    /// A word to the parent, among the events.
    func say(_ word: some ProcessWord) throws(SystemError) { try write(Array(word.line.utf8)) }

    private func write(_ bytes: [UInt8]) throws(SystemError) {
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { rest in
                retryingInterrupted { Glibc.write(output, rest.baseAddress, rest.count) }
            }
            guard count >= 0 else { throw SystemError("tell the events") }
            place += count
        }
    }

    private struct Lines: RunLogReader {
        var bytes: [UInt8] = []

        mutating func read(_ event: RunEvent) {
            bytes += EventLines.line(for: event)
            bytes.append(UInt8(ascii: "\n"))
        }

        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
            precondition(packets.isEmpty, "an app's process sees no packets")
        }
    }
}

/// What a process tells its parent besides its events, a line each among these.
protocol ProcessWord {
    /// A connection stands, and this is the process's end of it.
    static func connected(_ connection: UInt32, from own: SocketAddress) -> Self
    /// Nothing will come of a connection any more, and its peer does not know it.
    static func abandoned(_ connection: UInt32) -> Self

    var line: String { get }
}

extension AppRequest: ProcessWord {}
extension DaemonWord: ProcessWord {}
