import Foundation
import Testing

@testable import Runs

@Suite struct FidelityFileTests {
    private static let cell = FidelityCell.grid[7]

    @Test func `what was written is read, and written again it is the same file`() throws {
        let folder = try ReportsFolder()
        #expect(try folder.file.read() == FidelityData(), "no file is an empty grid")
        var data = FidelityData()
        data[cell: Self.cell].note(.madeUp(pattern: 2, latePackets: 700))
        data[cell: Self.cell].simulated = [1, 2, 3].map { .madeUp($0) }
        data[cell: Self.cell].reason = "the kernel “probes” earlier"
        try folder.file.write(data)
        #expect(try folder.file.read() == data)
        let text = try String(contentsOfFile: folder.file.path, encoding: .utf8)
        try folder.file.write(try folder.file.read())
        #expect(try String(contentsOfFile: folder.file.path, encoding: .utf8) == text)
    }

    @Test(arguments: [
        ("", "not JSON"), ("{", "not JSON"), ("{ \"cells\": [1] }", "cells[0]"),
        ("{}", "“cells” is missing"),
        (
            entry("vegas-40ms-0.1%", kernel: "[]"), "no cell vegas-40ms-0.1%"
        ),
        (
            entry("reno-40ms-0.1%", kernel: "[{ \"pattern\": \"one\" }]"),
            "in cells[0].kernel[0].pattern"
        ),
        (entry("reno-40ms-0.1%", kernel: "[{}]"), "“pattern” is missing in cells[0].kernel[0]"),
        (entry("reno-40ms-0.7%", kernel: "[]"), "no cell reno-40ms-0.7%"),
    ])
    func `a mistake is told with its place and what to do`(text: String, says: String) throws {
        let folder = try ReportsFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "baselines"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder.file.path))
        let failure = #expect(throws: RunFailure.self) { _ = try folder.file.read() }
        let words = failure?.description ?? ""
        #expect(words.contains(says), "\(words)")
        #expect(
            words.contains(folder.file.path)
                && (words.contains("repair") || words.contains("delete"))
        )
    }

    private static func entry(_ cell: String, kernel: String) -> String {
        """
        { "cells": [{ "cell": "\(cell)", "kernel": \(kernel), "simulated": [], "reason": "" }] }
        """
    }
}
