import Foundation
import Glibc
import RunLog
import Testing

/// A scenario played by the program as it was built, in folders that belong to nobody else.
final class LivePlay {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "live-play-\(UUID().uuidString)")
    private let process = Process()
    private let options: [String]
    /// The file with what the program has printed.
    private var said: URL { folder.appending(path: "said.txt") }

    struct TooLate: Error {}

    init(_ scenario: String, options: [String] = []) throws {
        self.options = options
        for part in ["report", "runs"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: part), withIntermediateDirectories: true)
        }
        try Data(scenario.utf8).write(to: folder.appending(path: "played.yaml"))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    func begin() throws {
        process.executableURL = try Self.program()
        process.arguments =
            [
                "live", folder.appending(path: "played.yaml").path, "--report",
                folder.appending(path: "report").path,
            ] + options
        // A run makes its folders here.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TMPDIR": folder.appending(path: "runs").path], uniquingKeysWith: { $1 })
        try Data().write(to: said)
        let words = try FileHandle(forWritingTo: said)
        process.standardOutput = words
        process.standardError = words
        try process.run()
    }

    func interrupt() { process.interrupt() }

    /// Waits for the end of a run that is to be green.
    func endsGreen(at location: SourceLocation = #_sourceLocation) throws {
        let status = try end()
        let words = (try? String(contentsOf: said, encoding: .utf8)) ?? ""
        #expect(status == 0, "\(words)", sourceLocation: location)
    }

    /// The exit status.
    func end() throws -> Int32 {
        try wait { !process.isRunning }
        return process.terminationStatus
    }

    func wait(until isSo: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !isSo() {
            guard ContinuousClock.now < deadline else { throw TooLate() }
            usleep(5_000)
        }
    }

    var capture: String {
        (try? files(under: "report"))?.first { $0.hasSuffix("capture.pcap") } ?? ""
    }

    func events() throws -> [RunEvent] {
        let path = try #require(
            try files(under: "report").first {
                $0.hasSuffix("events.jsonl") && !$0.contains("/simulated/")
            })
        return try EventLines.events(in: Data(contentsOf: URL(filePath: path)))
    }

    /// Files of this name that were left beside the report.
    func texts(named name: String) throws -> [String] {
        try files(under: "report").filter { $0.hasSuffix("/" + name) }.map {
            try String(contentsOfFile: $0, encoding: .utf8)
        }
    }

    /// The files in the folders of runs.
    func leftovers() throws -> [String] { try files(under: "runs") }

    /// Processes that were started with orders from those folders.
    func processes() throws -> [String] {
        let runs = folder.appending(path: "runs").path
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
            guard let words = try? Data(contentsOf: URL(filePath: "/proc/\(name)/cmdline")) else {
                return false
            }
            return String(decoding: words, as: UTF8.self).contains(runs)
        }
    }

    private func files(under part: String) throws -> [String] {
        let root = folder.appending(path: part).path
        return try FileManager.default.subpathsOfDirectory(atPath: root).map { root + "/" + $0 }
    }

    /// The program is beside the tests' bundle.
    private static func program() throws -> URL {
        let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
        let end = try #require(bundle.range(of: ".xctest")).upperBound
        return URL(filePath: String(bundle[..<end])).deletingLastPathComponent()
            .appending(path: "transferlab")
    }
}
