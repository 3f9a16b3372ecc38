import Foundation

/// The program as a user has it: the built binary, called in some folder, with a hard end.
enum Program {
    struct Answer {
        /// The exit code; as in a shell, 128 and more for a signal.
        var code: Int32
        var output: String
        var errors: String
        /// What to type to see the same, for messages of failure.
        var call: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Beside the tests, or where the environment says.
    static let path: String = {
        if let named = ProcessInfo.processInfo.environment["TRANSFERLAB_BINARY"] { return named }
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "transferlab").path
    }()

    /// The top of the project, with README and sources.
    static let house = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The text of a file of the project, by its path from the top.
    static func page(_ path: String) throws -> String {
        try String(contentsOf: house.appending(path: path), encoding: .utf8)
    }

    /// Python with what `./lab test` installs from PyPI; it makes one and says where.
    static let python = ProcessInfo.processInfo.environment["TRANSFERLAB_PYTHON"]

    /// Longer than any call takes on a busy machine, and shorter than anybody waits.
    static let longestSeconds = 120

    static func run(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) throws -> Answer {
        try run(arguments, of: path, in: folder, environment: environment)
    }

    /// A line of shell in which `$lab` is the program.
    static func shell(
        _ script: String, in folder: URL, environment: [String: String] = [:],
        seconds: Int = longestSeconds
    ) throws -> Answer {
        var surroundings = environment
        surroundings["lab"] = path
        return try run(
            ["-c", script], of: "/bin/sh", in: folder, environment: surroundings,
            seconds: seconds)
    }

    static func run(
        _ arguments: [String], of program: String, in folder: URL, environment: [String: String],
        seconds: Int = longestSeconds
    ) throws -> Answer {
        let files = try TemporaryFolder()
        let places = ["output", "errors"].map { files.url.appending(path: $0) }
        for place in places { try Data().write(to: place) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["--signal=KILL", "\(seconds)", program] + arguments
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": files.url.path]
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: places[0])
        process.standardError = try FileHandle(forWritingTo: places[1])
        try process.run()
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        let words = [program == path ? "./lab" : program] + arguments.map { "'\($0)'" }
        return Answer(
            code: process.terminationStatus + (isSignal ? 128 : 0),
            output: String(decoding: try Data(contentsOf: places[0]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: places[1]), as: UTF8.self),
            call: "cd '\(folder.path)' && \(words.joined(separator: " "))")
    }
}

/// A folder of one test, gone with it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "command test \(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
