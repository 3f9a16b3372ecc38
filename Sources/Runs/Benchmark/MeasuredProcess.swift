import Foundation

/// A program that measures itself, and prints its figures as JSON.
enum MeasuredProcess {
    /// Runs the program and returns its figures; `doing` names it in a failure.
    static func figures<Figures: Decodable>(
        of program: String, _ arguments: [String], doing: String
    ) throws(RunFailure) -> Figures {
        let output = try output(of: program, arguments, doing: doing)
        do { return try JSONDecoder().decode(Figures.self, from: output) } catch {
            throw RunFailure("\(doing) printed no figures: \(error)")
        }
    }

    static func output(
        of program: String, _ arguments: [String], doing: String
    ) throws(RunFailure) -> Data {
        let process = Process()
        // Resolves links here, because /proc/self means the process that reads it.
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
