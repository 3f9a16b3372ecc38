import Foundation

/// A program that is called, measures itself, and says so.
enum MeasuredProcess {
    /// What it wrote, once it has ended well; `doing` names it in a failure.
    static func output(
        of program: String, _ arguments: [String], doing: String
    ) throws(RunFailure) -> Data {
        let process = Process()
        // A link in /proc speaks of whoever reads it, so it is read here.
        process.executableURL = URL(filePath: program).resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        let output: Data
        do {
            try process.run()
            output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        } catch {
            throw RunFailure("\(doing) could not be started: \(error.systemReason)")
        }
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw RunFailure(
                "\(doing) ended with exit code \(process.terminationStatus) and printed no figures")
        }
        return output
    }
}
