import Foundation
import Glibc
import RunLog
import TransferHost

/// Writes events as lines without buffering: what was written survives a kill.
struct EventPipe {
    private let output: Int32

    init(to output: Int32) { self.output = output }

    /// Writes everything in one call, so that a kill seldom cuts a line.
    func drain(_ sink: inout RunLogSink) throws(SystemError) {
        var lines = Lines()
        sink.drain(into: &lines)
        try write(lines.bytes)
    }

    /// Writes a word to the parent, among the events.
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
