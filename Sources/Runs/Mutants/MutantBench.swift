import Foundation

/// Where mutants are tried: the planted tree with its build, and a folder for each trial's files.
struct MutantBench: Sendable {
    let tree: URL

    private var program: URL { tree.appending(path: ".build/release/transferlab") }

    /// The folder beside the tree for everything that trials leave.
    var folder: URL { tree.deletingLastPathComponent() }

    func work(of trial: String) -> URL { folder.appending(path: "work/\(trial)") }

    /// When the planted program was built.
    var built: Date {
        let date = try? FileManager.default.attributesOfItem(
            atPath: program.path)[.modificationDate]
        return date as? Date ?? .distantFuture
    }

    /// Calls a part of the suite with this mutant chosen; 0 is none.
    func answer(
        to call: MutantCall, choosing number: Int, work: URL, reached: URL? = nil
    ) throws(RunFailure) -> MutantAnswer {
        do {
            try? FileManager.default.removeItem(at: work)
            try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
            let output = work.appending(path: "output.txt")
            try Data().write(to: output)
            let file = try FileHandle(forWritingTo: output)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/timeout")
            // A mutant may hang or take all memory.
            process.arguments =
                ["--signal=KILL", "\(call.seconds)", "prlimit", "--as=12000000000"]
                + [tree.appending(path: call.program).path] + call.arguments
                + (call.writesReport ? ["--report", work.path] : [])
            process.currentDirectoryURL = tree
            var environment = ProcessInfo.processInfo.environment
            environment[MutantPlanting.variable] = "\(number)"
            environment[MutantReach.variable] = reached?.path
            environment["TRANSFERLAB_ROOT"] = tree.path
            environment["TRANSFERLAB_BINARY"] = program.path
            environment["SWIFT_BACKTRACE"] = "enable=no"
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = file
            process.standardError = file
            let clock = ContinuousClock()
            let start = clock.now
            try process.run()
            process.waitUntilExit()
            let took = (clock.now - start).components
            return MutantAnswer(
                code: process.terminationStatus,
                isSignal: process.terminationReason == .uncaughtSignal,
                seconds: Double(took.seconds) + Double(took.attoseconds) * 1e-18,
                output: (try? String(contentsOf: output, encoding: .utf8)) ?? "")
        } catch {
            throw RunFailure("\(call.program) could not be called: \(error.systemReason)")
        }
    }
}
