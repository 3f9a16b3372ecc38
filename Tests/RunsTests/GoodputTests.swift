import Foundation
import Quantities
import Testing

@testable import Runs

/// The table of what gets through over lossy lines.
@Suite struct GoodputTests {
    private static let reports = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Reports").path

    @Test func `the page has the figures that are played now`() throws {
        let table = try GoodputPage(reports: Self.reports).table()
        let lines = table.split(separator: "\n").map(String.init)
        // A row for each transport at 10 ms, and one of another round trip.
        for (transport, row) in [
            (GoodputGrid.Transport.paced, 0), (.newReno, 1), (.cubic, 2), (.bbr, 3),
        ] {
            let place = try #require(lines.firstIndex { $0.hasPrefix("| 10 ms") }) + row
            let cell = GoodputGrid.Cell(transport, roundTrip: .milliseconds(10), loss: 50)
            let figure = GoodputGrid.text(of: GoodputGrid.goodput(of: cell))
            #expect(lines[place].contains("| \(figure) |"), "\(lines[place]), not \(figure)")
        }
    }

    @Test func `a page without a place for the table is refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("# A page\n".utf8).write(to: folder.appending(path: "README.md"))
        let failure = #expect(throws: RunFailure.self) {
            try GoodputPage(reports: folder.path).table()
        }
        #expect(failure.map { "\($0)" }?.contains("put them back") == true)
    }
}
