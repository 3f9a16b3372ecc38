import DocrootServer
import Foundation
import Quantities
import RunPlan
import Scenario

/// A file of the language read by somebody who trusts neither the file nor the reader.
struct CarefulReading {
    /// Whether the file says something that can be played.
    private(set) var isRead = false
    /// What is wrong with how it was read, or refused.
    private(set) var flaw: String?

    init(scenario bytes: [UInt8]) {
        do {
            let cases = try Scenario.cases(bytes, path: "x.yaml") { path in
                path.hasPrefix("there") ? Array("tags: [part]\n".utf8) : nil
            }
            isRead = true
            flaw = cases.prefix(20).compactMap(Self.flaw).first
        } catch {
            flaw = Self.flaw(of: error.diagnostics, in: bytes)
        }
    }

    init(faults bytes: [UInt8]) {
        do {
            let rules = try FaultFile.read(bytes, path: "x.faults.yaml")
            isRead = true
            flaw = rules.first { !$0.fault.places.contains($0.point.kind) }.map {
                "impossible: \($0)"
            }
        } catch {
            flaw = Self.flaw(of: error.diagnostics, in: bytes)
        }
    }

    private static func flaw(of scenario: Scenario) -> String? {
        let plan = scenario.plan()
        let times = plan.timeline.compactMap { entry in
            if case .at(let time) = entry.trigger { time } else { nil }
        }
        guard !plan.sessions.isEmpty, !plan.files.isEmpty, !scenario.seeds.isEmpty else {
            return "there is nothing to play"
        }
        guard times.allSatisfy({ $0.sinceStart < plan.limit }) else {
            return "the timeline \(times) goes beyond \(plan.limit)"
        }
        for path in plan.sessions.flatMap(\.uploads) {
            let isThere = plan.files.contains { $0.path == path.source }
            let leaves = path.destination == ".." || path.destination.hasPrefix("../")
            guard isThere, !leaves else { return "impossible: \(path)" }
        }
        guard !scenario.sentences.contains("") else { return "a sentence says nothing" }
        return nil
    }

    /// Places exist in the file, stand in its order, and nothing is said twice.
    private static func flaw(of diagnostics: [Diagnostic], in bytes: [UInt8]) -> String? {
        let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) {
            breaks.contains($0)
        }
        guard !diagnostics.isEmpty else { return "refused without a word" }
        for diagnostic in diagnostics where diagnostic.trail.isEmpty {
            guard lines.indices.contains(diagnostic.line - 1),
                (1...lines[diagnostic.line - 1].count + 1).contains(diagnostic.column)
            else { return "no such place: \(diagnostic)" }
        }
        let places = diagnostics.map { [$0.line, $0.column] }
        guard zip(places, places.dropFirst()).allSatisfy({ !$1.lexicographicallyPrecedes($0) })
        else { return "out of order: \(places)" }
        return Set(diagnostics).count == diagnostics.count ? nil : "said twice: \(diagnostics)"
    }
}
