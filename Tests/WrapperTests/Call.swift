import Foundation

/// A running process whose output goes to files, so that none of it can block.
final class Call {
    let process = Process()
    private let output: URL
    private let errors: URL

    init(files: URL) {
        output = files.appendingPathExtension("output")
        errors = files.appendingPathExtension("errors")
    }

    func start() throws {
        for place in [output, errors] { try Data().write(to: place) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    func answer() throws -> StandInHouse.Answer {
        process.waitUntilExit()
        return StandInHouse.Answer(
            status: process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }
}
