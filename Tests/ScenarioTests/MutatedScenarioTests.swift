import Foundation
import Quantities
import Testing

/// Whatever happens to a scenario's text, it is read or refused with places that exist in it. The
/// fuzzers of `./lab test --long` break far more.
@Suite struct MutatedScenarioTests {
    @Test(arguments: [UInt64(1), 2])
    func `a scenario broken at random is played or refused, never trusted`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "mutations")
        var read = 0
        for round in 0..<5_000 {
            let bytes = mutated(ValidScenario.text, &random)
            let reading = CarefulReading(scenario: bytes)
            #expect(reading.flaw == nil, "seed \(seed), round \(round)")
            if reading.isRead { read += 1 }
        }
        // Many mutations are harmless; if all were, or none, this test would prove nothing.
        #expect((100..<4_000).contains(read), "\(read) of 5000 were read")
    }

    @Test(arguments: [UInt64(1)])
    func `what waits, repeats and is several is broken as well`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "mutations")
        var read = 0
        for round in 0..<2_000 {
            let bytes = mutated(ValidScenario.rich, &random)
            let reading = CarefulReading(scenario: bytes)
            #expect(reading.flaw == nil, "seed \(seed), round \(round)")
            if reading.isRead { read += 1 }
        }
        #expect((20..<1_600).contains(read), "\(read) of 2000 were read")
    }

    @Test(arguments: [UInt64(1)])
    func `a script of faults broken at random is read or refused`(seed: UInt64) throws {
        let file = ScenarioFilesTests.root.appending(path: "Scenarios/faults/field.faults.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        var random = RandomStream(seed: seed, name: "mutations")
        var read = 0
        for round in 0..<5_000 {
            let bytes = mutated(text, &random)
            let reading = CarefulReading(faults: bytes)
            #expect(reading.flaw == nil, "seed \(seed), round \(round)")
            if reading.isRead { read += 1 }
        }
        #expect((100..<4_900).contains(read), "\(read) of 5000 were read")
    }

    /// What a fuzzer has found: libyaml puts an empty value behind the last line.
    @Test(arguments: ["files:\n  a: |\n  ? b", "? a", "name: x\n? ", "queue:\n- ", "-\n?"])
    func `what is missing at the end of a file is missing within it`(text: String) {
        #expect(CarefulReading(scenario: Array(text.utf8)).flaw == nil)
        #expect(CarefulReading(scenario: Array(text.utf8) + [10]).flaw == nil)
    }

    @Test(arguments: FuzzTarget.allCases)
    func `the fuzzer's targets take what is good, and what is nothing`(target: FuzzTarget) {
        for bytes in target.seeds + [[], [0]] { target.run(bytes) }
    }

    private func mutated(_ text: String, _ random: inout RandomStream) -> [UInt8] {
        let spices =
            [
                "*", "&v ", "!", "\t", "\n", ": ", "- ", "[", "]", "{", "}", "'", "\"", "#", "|",
                "%", "\\",
                "---\n", "-", "9", ".", ",", "\u{0}", "\u{85}", "\u{2028}", "é", "../", "? ", "\r",
                "@",
                "<<: *v", "999999999999999999", " TB", "0", "\u{FEFF}", "\u{301}", "${", "}",
                "${size}", "there2.part.yaml", ", if it comes", " every ", " after ", "1 h",
                "never ",
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
}
