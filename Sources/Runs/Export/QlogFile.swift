import Foundation
import Reports
import RunLog

/// A run as a qlog file: two traces for each TCP connection.
///
/// The traces need each packet of the run, which only its world can tell while it is played.
final class QlogFile: RunLogReader {
    private var book: QlogBook
    private let spool: TraceSpool
    /// The only connection in the file; `nil`: all.
    private let chosen: Int?

    init(connection chosen: Int?) throws(RunFailure) {
        let spool = try TraceSpool()
        self.spool = spool
        self.chosen = chosen
        book = QlogBook(connection: chosen) { spool.append($1, to: $0) }
    }

    func read(_ event: RunEvent) { book.read(event) }
    func read(packets: UnsafeBufferPointer<PacketRecord>) { book.read(packets: packets) }
    func read(windows: [CongestionWindow]) { book.read(windows: windows) }

    /// Writes the file, after the run.
    func write(_ model: ReportModel, to output: ExportFile) throws(RunFailure) {
        book.finish()
        let count = book.connectionCount
        if count == 0 { throw RunFailure("the run has no TCP connection, so it has no qlog") }
        if let chosen, chosen > count {
            throw RunFailure(
                "the run has no connection \(chosen); --flow takes a number from 1 to \(count)")
        }
        let head = Head(
            qlogVersion: "0.3", qlogFormat: "JSON", title: model.beginning.scenario,
            description: "seed \(model.beginning.seed), digest \(model.digest); "
                + "\(model.beginning.command)")
        try output.write(Self.opened(head, "traces"))
        var separator = "\n"
        for trace in book.heads where spool.hasEvents(trace.trace) {
            try output.write(Data(separator.utf8) + Self.opened(trace, "events") + Data("\n".utf8))
            try spool.copy(trace.trace, to: output)
            try output.write(Data("\n]}".utf8))
            separator = ",\n"
        }
        try output.write(Data("\n]}\n".utf8))
    }

    private struct Head: Encodable {
        var qlogVersion: String
        var qlogFormat: String
        var title: String
        var description: String
    }

    /// Returns an object with a list in it, up to the beginning of the list.
    private static func opened(_ head: some Encodable, _ list: String) -> Data {
        QlogBook.data(of: head).dropLast() + Data(",\"\(list)\":[".utf8)
    }
}
