import Quantities
import Testing

@Suite struct RandomStreamTests {
    @Test func `seed and name decide the stream, for ever`() {
        // Golden values: a change here changes the digest of every run that draws.
        var stream = RandomStream(seed: 7, name: "uplink/loss")
        let drawn = (0..<3).map { _ in stream.next() }
        let golden: [UInt64] = [
            14_334_404_780_637_127_598, 8_585_161_793_696_232_232, 10_936_047_106_195_171_565,
        ]
        #expect(drawn == golden)
    }

    @Test func `another name is another stream`() {
        var one = RandomStream(seed: 7, name: "uplink/loss")
        var other = RandomStream(seed: 7, name: "downlink/loss")
        #expect(one.next() != other.next())
    }

    @Test func `a chance of never does not advance the stream`() {
        var stream = RandomStream(seed: 7, name: "a")
        var untouched = stream
        #expect(Probability.never.draw(from: &stream) == false)
        #expect(stream.next() == untouched.next())
    }

    @Test func `a chance of one percent comes true about once in a hundred draws`() throws {
        var stream = RandomStream(seed: 7, name: "a")
        let chance = try #require(Probability(percent: 1))
        let hits = (0..<1_000_000).count { _ in chance.draw(from: &stream) }
        #expect((9_700...10_300).contains(hits))
    }
}
