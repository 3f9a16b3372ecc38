import Foundation

/// What noticed a mutant first, and how fast; or that nothing did.
package struct MutantFinding: Codable, Hashable, Sendable {
    package let mutant: String
    /// Identifies what was tried, so that a changed mutant is tried again.
    let text: Int
    /// `nil` if nothing noticed it.
    package var stage: MutantStage?
    /// The scenario or the target of tests that noticed it.
    package var subject: String?
    /// What it said.
    package var words: String?
    /// How long the call that noticed it took, or all calls together if nothing did.
    package var seconds: Double
    /// The stages that were tried.
    package var tried: [MutantStage]
    /// Whether the tests that the mutant names were tried; `nil` if they were not.
    var hasTriedOwnTests: Bool?
    /// The number of parts that come to the mutant's place.
    package var reachedBy: Int
}

/// Tries a mutant until something notices it.
struct MutantTrial {
    let number: Int
    let mutant: Mutant
    let bench: MutantBench
    let reach: MutantReach
    /// The scenario that noticed it last time.
    var hint: String?

    func play(_ stages: [MutantStage]) throws(RunFailure) -> MutantFinding {
        var finding = MutantFinding(
            mutant: mutant.name, text: mutant.fingerprint, seconds: 0, tried: [], reachedBy: 0)
        if let tests = mutant.tests, stages.contains(.tests) {
            finding.hasTriedOwnTests = true
            try call([MutantCall.tests(tests)], &finding)
            if finding.stage != nil { return finding }
        }
        for stage in MutantStage.allCases where stages.contains(stage) {
            finding.tried.append(stage)
            let parts = MutantCall.parts(of: stage, in: bench.tree).filter {
                reach.isReached(number, by: $0.subject)
            }
            finding.reachedBy += parts.count
            try call(calls(of: stage, parts), &finding)
            if finding.stage != nil { return finding }
        }
        return finding
    }

    /// Calls one part after another until one notices the mutant.
    private func call(
        _ calls: [MutantCall], _ finding: inout MutantFinding
    ) throws(RunFailure) {
        for call in calls {
            let work = bench.work(of: mutant.name)
            let answer = try bench.answer(to: call, choosing: number, work: work)
            guard call.stage != .tests || answer.code != MutantCall.nothingRan else {
                throw RunFailure([
                    mutant.place.mistake(
                        "\(mutant.name) is to be tried by \(call.subject), but that has no tests; "
                            + "“tests: ” needs a target and a suite, such as "
                            + "QueueStorageTests.SettingAsideTests")
                ])
            }
            guard !answer.isContent else {
                finding.seconds += answer.seconds
                continue
            }
            finding.stage = call.stage
            finding.subject = answer.red(in: work)?.path ?? call.subject
            finding.words = answer.words(about: call, in: work)
            finding.seconds = answer.seconds
            return
        }
    }

    /// Returns the calls of a stage. All scenarios are one, after the mutant's own scenario and the
    /// one that noticed it before. Of the tests, those of the target that it changes come first.
    private func calls(of stage: MutantStage, _ parts: [MutantCall]) -> [MutantCall] {
        guard stage == .scenarios else {
            let own = parts.filter { $0.subject == "\(mutant.target)Tests" }
            return own + parts.filter { !own.contains($0) }
        }
        let first = [mutant.scenario.map { "Scenarios/\($0).yaml" }, hint].compactMap(\.self)
        let files = first + parts.map(\.subject).filter { !first.contains($0) }
        let own = first.filter { name in parts.contains { $0.subject == name } }
        guard !parts.isEmpty else { return [] }
        let rest = files.filter { !first.contains($0) }
        return own.map { MutantCall.scenarios([$0], subject: $0) }
            + (rest.isEmpty ? [] : [MutantCall.scenarios(rest, subject: "scenarios")])
    }
}

extension Mutant {
    /// A number that changes with what is planted; the same in every process.
    var fingerprint: Int {
        let parts = edits.flatMap { [$0.path] + $0.removed + ["+"] + $0.added }
        let hash = parts.joined(separator: "\n").utf8.reduce(5_381 as UInt32) {
            $0 &* 33 ^ UInt32($1)
        }
        return Int(hash)
    }
}

/// How a program ended that was called to notice a mutant.
struct MutantAnswer {
    let code: Int32
    let isSignal: Bool
    let seconds: Double
    let output: String

    var isContent: Bool { code == 0 && !isSignal }

    /// Returns what the program noticed.
    func words(about call: MutantCall, in work: URL) -> String {
        if code == 124 || code == 137 { return "took longer than \(call.seconds) s" }
        if isSignal || code > 128 { return "crashed" }
        if code == 2 { return "could not run: \(output.suffix(200))" }
        if let entry = red(in: work) { return entry.sentence }
        let lines = output.split(separator: "\n").map(String.init)
        let telling = lines.first { $0.contains("✘") }
        return MutantReader.trimmed((telling ?? lines.last ?? "exit code \(code)").prefix(200))
    }

    private struct Summary: Decodable {
        struct Entry: Decodable {
            let path: String
            let judgement: Judgement
        }
        struct Judgement: Decodable {
            let isGreen: Bool
            let sentence: String
        }

        let runs: [Entry]
    }

    /// Returns the path and the judgement of the first red run of the suite's summary.
    func red(in work: URL) -> (path: String, sentence: String)? {
        let file = work.appending(path: "summary.json")
        guard let data = try? Data(contentsOf: file),
            let summary = try? JSONDecoder().decode(Summary.self, from: data),
            let run = summary.runs.first(where: { !$0.judgement.isGreen })
        else { return nil }
        return (run.path, run.judgement.sentence)
    }
}
