import Foundation
package import Reports

extension ProgramVersion {
    /// The version of the running program. The first call asks git; later calls do not.
    package static let current = ProgramVersion(number: "1.0", commit: commit(of: house))

    /// The project's folder, as the `lab` script says, or the folder of the program's file. The
    /// current folder may belong to another project.
    private static var house: String {
        ProcessInfo.processInfo.environment["TRANSFERLAB_ROOT"]
            ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .path
    }

    /// Returns the commit that is checked out in this folder, or `nil` if git cannot say within two
    /// seconds.
    private static func commit(of folder: String) -> String? {
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments =
            ["timeout", "2", "git", "--no-optional-locks", "-C", folder]
            + ["describe", "--always", "--dirty", "--abbrev=12", "--exclude", "*"]
        git.standardInput = FileHandle.nullDevice
        git.standardError = FileHandle.nullDevice
        let output = Pipe()
        git.standardOutput = output
        guard (try? git.run()) != nil,
            let answer = try? output.fileHandleForReading.readToEnd()
        else { return nil }
        git.waitUntilExit()
        let commit = String(decoding: answer, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return git.terminationStatus == 0 ? commit : nil
    }
}
