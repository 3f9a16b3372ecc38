import DocrootServer
import Foundation
import Quantities
import RunPlan
import Scenario
import Testing

/// Whatever happens to a scenario's text, it is read or refused with places that exist in it.
@Suite struct MutatedScenarioTests {
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `a scenario broken at random is played or refused, never trusted`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "mutations")
        var read = 0
        for round in 0..<5_000 {
            let bytes = mutated(ValidScenario.text, &random)
            do {
                let scenario = try Scenario.read(bytes, path: "x.yaml")
                read += 1
                expectLegal(scenario, "seed \(seed), round \(round)")
            } catch {
                expectPlaces(of: error.diagnostics, in: bytes, "seed \(seed), round \(round)")
            }
        }
        // Many mutations are harmless; if all were, or none, this test would prove nothing.
        #expect((100..<4_000).contains(read), "\(read) of 5000 were read")
    }

    @Test(arguments: [UInt64(1), 2])
    func `a script of faults broken at random is read or refused`(seed: UInt64) throws {
        let file = ScenarioFilesTests.root.appending(path: "Scenarios/faults/field.faults.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        var random = RandomStream(seed: seed, name: "mutations")
        var read = 0
        for round in 0..<5_000 {
            let bytes = mutated(text, &random)
            do {
                let rules = try FaultFile.read(bytes, path: "x.faults.yaml")
                read += 1
                for rule in rules {
                    let isPossible = rule.fault.places.contains(rule.point.kind)
                    #expect(isPossible, "seed \(seed), round \(round): \(rule)")
                }
            } catch {
                expectPlaces(of: error.diagnostics, in: bytes, "seed \(seed), round \(round)")
            }
        }
        #expect((100..<4_900).contains(read), "\(read) of 5000 were read")
    }

    private func mutated(_ text: String, _ random: inout RandomStream) -> [UInt8] {
        let spices =
            [
                "*", "&v ", "!", "\t", "\n", ": ", "- ", "[", "]", "{", "}", "'", "\"", "#", "|",
                "%", "\\",
                "---\n", "-", "9", ".", ",", "\u{0}", "\u{85}", "\u{2028}", "é", "../", "? ", "\r",
                "@",
                "<<: *v", "999999999999999999", " TB", "0", "\u{FEFF}", "\u{301}",
            ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]
        var bytes = Array(text.utf8)
        for _ in 0...random.below(3) where !bytes.isEmpty {
            let place = Int(random.below(UInt64(bytes.count)))
            let end = min(bytes.count, place + 1 + Int(random.below(12)))
            switch random.below(6) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2: bytes[place] = UInt8(random.below(256))
            case 3:
                let other = Int(random.below(UInt64(bytes.count)))
                bytes.swapAt(place, other)
            case 4: bytes.removeSubrange(max(place, bytes.count - 20)...)
            default:
                bytes.insert(
                    contentsOf: spices[Int(random.below(UInt64(spices.count)))], at: place)
            }
        }
        return bytes
    }

    private func expectLegal(_ scenario: Scenario, _ source: Comment) {
        let plan = scenario.plan()
        let times = plan.timeline.map(\.at)
        #expect(!plan.sessions.isEmpty && !plan.files.isEmpty, source)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, source)
        #expect(times.allSatisfy { $0.sinceStart < plan.limit }, source)
        #expect(
            plan.sessions.allSatisfy { session in
                plan.files.contains { $0.path == session.source }
                    && !session.destination.utf8.elementsEqual("..".utf8)
                    && !session.destination.utf8.starts(with: "../".utf8)
            }, source)
    }

    private func expectPlaces(
        of diagnostics: [Diagnostic], in bytes: [UInt8], _ source: Comment
    ) {
        let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) {
            breaks.contains($0)
        }
        #expect(!diagnostics.isEmpty, source)
        for diagnostic in diagnostics {
            #expect((1...lines.count).contains(diagnostic.line), source)
            guard lines.indices.contains(diagnostic.line - 1) else { continue }
            let columns = lines[diagnostic.line - 1].count + 1
            #expect((1...columns).contains(diagnostic.column), "\(source): \(diagnostic)")
        }
        let places = diagnostics.map { [$0.line, $0.column] }
        #expect(
            zip(places, places.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }, source
        )
        #expect(Set(diagnostics).count == diagnostics.count, source)
    }
}
