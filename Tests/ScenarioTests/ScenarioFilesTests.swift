import Checks
import Foundation
import RunPlan
import Scenario
import Testing

/// Whatever lies in `Scenarios/` can be read: nobody has to list it anywhere.
@Suite struct ScenarioFilesTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// In the order of their names.
    private static let all: [String] = {
        let folder = root.appending(path: "Scenarios").path
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (paths ?? []).filter { $0.hasSuffix(".yaml") }.sorted().map { "Scenarios/\($0)" }
    }()

    static let files = all.filter {
        !$0.hasSuffix(".faults.yaml") && !$0.hasSuffix(Scenario.partEnding)
            && !$0.hasSuffix(SuiteFile.name)
    }
    static let suites = all.filter { $0.hasSuffix(SuiteFile.name) }
    static let scripts = all.filter { $0.hasSuffix(".faults.yaml") }

    @Test func `there are scenarios`() {
        #expect(Self.files.contains("Scenarios/queue/first-upload.yaml"))
        #expect(Self.scripts.contains("Scenarios/faults/field.faults.yaml"))
    }

    @Test(arguments: suites) func `every suite file reads`(path: String) throws {
        let bytes = try Data(contentsOf: Self.root.appending(path: path))
        #expect(try SuiteFile.read([UInt8](bytes), path: path).sometimes.count > 3)
    }

    @Test func `a suite file asks for nothing of one session, and says where its mistakes are`() {
        let text = "sometimes:\n  - a session resumes\n  - session 1 resumes once\n"
        #expect {
            try SuiteFile.read(Array(text.utf8), path: "suite.yaml")
        } throws: {
            "\($0)".hasPrefix(
                "suite.yaml:3:5: error: “session 1 resumes once” is not something that can happen")
        }
        #expect(throws: ScenarioError.self) { try SuiteFile.read([], path: "suite.yaml") }
    }

    @Test func `a suite file demands evidence, with exceptions that have a reason`() throws {
        func demand(_ lines: String...) throws -> EvidenceDemand? {
            let text = (["sometimes: [a session resumes]"] + lines).joined(separator: "\n")
            return try SuiteFile.read(Array(text.utf8), path: "suite.yaml").evidence
        }
        #expect(try demand() == nil)
        let exception = "without-evidence: { S12 one refresh: nothing here has a token }"
        let found = try demand("evidence: every clause", exception)
        #expect(found?.place == "suite.yaml:2:11")
        #expect(found?.exceptions.map(\.clause) == ["S12 one refresh"])
        #expect(found?.exceptions.map(\.reason) == ["nothing here has a token"])
        for wrong in [
            ["evidence: some"], [exception],
            ["evidence: every clause", "without-evidence: { S12 two refreshes: never }"],
            ["evidence: every clause", "without-evidence: { S12 one refresh: }"],
        ] {
            #expect(throws: ScenarioError.self, "\(wrong)") {
                _ = try demand(wrong[0], wrong.count > 1 ? wrong[1] : "")
            }
        }
    }

    @Test(arguments: files) func `every scenario file reads`(path: String) throws {
        let bytes = try Data(contentsOf: Self.root.appending(path: path))
        let cases = try Scenario.cases(
            [UInt8](bytes), path: path,
            parts: { part in
                (try? Data(contentsOf: Self.root.appending(path: part))).map { [UInt8]($0) }
            },
            traces: TraceShelf { path, take in
                guard let data = try? Data(contentsOf: Self.root.appending(path: path)) else {
                    return "there is no such file"
                }
                _ = data.withUnsafeBytes(take)
                return nil
            })
        for scenario in cases {
            #expect(scenario.text.utf8.elementsEqual(bytes))
            #expect(scenario.plan().sessions.count == scenario.sessions.count)
            // A draft may do without; what is kept has to say what it is for.
            #expect(scenario.reasonHint == nil, "\(path)")
        }
    }

    @Test(arguments: scripts) func `every script of faults reads`(path: String) throws {
        let bytes = try Data(contentsOf: Self.root.appending(path: path))
        #expect(try !FaultFile.read([UInt8](bytes), path: path).isEmpty)
    }
}
