import Foundation

/// The outsider that says whether our capture files are what the world takes for one.
enum Tshark {
    static let program = "/usr/bin/tshark"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// One row of fields for each frame.
    static func fields(_ names: [String], of path: String) throws -> [[String]] {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments =
            ["-r", path, "-T", "fields", "-E", "separator=|"] + names.flatMap { ["-e", $0] }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
