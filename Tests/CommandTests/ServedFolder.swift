import Foundation

/// A `serve` that runs as a user would have it: a process of its own on a port of its own, with a
/// folder to serve and a desk beside it. It is gone with this object.
final class ServedFolder {
    let desk: TemporaryFolder
    let docroot: URL
    private(set) var port = 0
    /// Of the status page.
    private(set) var statusPage = ""
    private var process = Process()
    private var arguments: [String]
    private let environment: [String: String]

    struct NotListening: Error { var errors: String }

    /// `faults` is the text of a script.
    convenience init(
        _ arguments: String..., faults: String? = nil, environment: [String: String] = [:]
    ) throws {
        try self.init(arguments, faults: faults, environment: environment)
    }

    init(
        _ arguments: [String], faults: String? = nil, environment: [String: String] = [:]
    ) throws {
        self.arguments = arguments
        self.environment = environment
        desk = try TemporaryFolder()
        docroot = desk.url.appending(path: "docroot")
        try FileManager.default.createDirectory(at: docroot, withIntermediateDirectories: false)
        if let faults {
            let script = desk.url.appending(path: "script.faults.yaml")
            try Data(faults.utf8).write(to: script)
            self.arguments += ["--faults", script.path]
        }
        try start()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Until the first lines say where it listens, and where its status is shown.
    func start() throws {
        process = Process()
        let output = Pipe()
        let errors = desk.url.appending(path: "errors")
        try Data().write(to: errors)
        process.executableURL = URL(filePath: Program.path)
        process.arguments = ["serve", "--docroot", docroot.path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        var line = Data()
        while line.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw NotListening(errors: try String(contentsOf: errors, encoding: .utf8))
            }
            line += more
        }
        let text = String(decoding: line, as: UTF8.self)
        let digits = text.firstRange(of: "\"port\":").map { text[$0.upperBound...] } ?? ""
        port = Int(digits.prefix { $0.isNumber }) ?? 0
        let page = text.firstMatch(of: /"statusShown":\{"at":"([^"]*)"/)
        statusPage = page.map { String($0.1) } ?? ""
        // A full pipe would stop it.
        let later = Later()
        self.later = later
        // The second line may have come with the first.
        let rest = line.drop { $0 != UInt8(ascii: "\n") }
        if !rest.isEmpty { later.append(rest) }
        output.fileHandleForReading.readabilityHandler = { handle in
            let more = handle.availableData
            if more.isEmpty { handle.readabilityHandler = nil }
            later.append(more)
        }
    }

    private var later = Later()

    /// What a process says behind its first line, gathered on whatever thread it comes.
    private final class Later: @unchecked Sendable {
        private let lock = NSLock()
        private let end = DispatchSemaphore(value: 0)
        private var data = Data()

        /// Nothing is the end.
        func append(_ more: Data) {
            lock.withLock { data += more }
            if more.isEmpty { end.signal() }
        }

        /// All of it; waits for the end.
        var text: String {
            _ = end.wait(timeout: .now() + 60)
            end.signal()
            return lock.withLock { String(decoding: data, as: UTF8.self) }
        }
    }

    /// The lines that it has written behind the first, once it has ended.
    var lines: [String] { later.text.split(separator: "\n").map(String.init) }

    /// What it has complained of so far.
    func errors() throws -> String {
        try String(contentsOf: desk.url.appending(path: "errors"), encoding: .utf8)
    }

    /// Ends it by a signal and waits; how it ended.
    func end(by signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The most memory that the process ever had.
    func peakMegabytes() throws -> Int {
        let status = try String(
            contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return try Int(line.filter(\.isNumber)).map { $0 / 1_000 } ?? { throw Unreadable() }()
    }

    struct Unreadable: Error {}

    var url: String { "http://127.0.0.1:\(port)" }

    func write(_ count: Int, to name: String) throws {
        var state = UInt64(count) &+ 1
        let bytes = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let place = desk.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: place)
    }

    /// A line of shell at the desk, in which `$url` is the server.
    func shell(_ script: String, environment: [String: String] = [:]) throws -> Program.Answer {
        var surroundings = environment
        surroundings["url"] = url
        surroundings["page"] = statusPage
        surroundings["RCLONE_CONFIG"] = "/dev/null"
        return try Program.shell(script, in: desk.url, environment: surroundings)
    }
}
