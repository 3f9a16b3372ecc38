import Checks
import Quantities
import RunLog
import Testing

/// What a link could carry in a span of its run, by its terms.
@Suite struct LinkOfferTests {
    private static func offer(_ change: (inout LinkTerms) -> Void = { _ in }) throws -> LinkOffer {
        var terms = LinkLog.terms
        change(&terms)
        return try #require(LinkOffer(terms, traces: []))
    }

    private func bits(_ offer: LinkOffer, _ from: Int64, _ to: Int64) -> Double {
        offer.bits(from: .start + .milliseconds(from), to: .start + .milliseconds(to))
    }

    @Test func `a constant rate offers the same at all times`() throws {
        let offer = try Self.offer()
        #expect(bits(offer, 0, 1_000) == 8_000_000)
        #expect(bits(offer, 5_000, 5_500) == 4_000_000)
        #expect(offer.time(for: ByteCount(1_000), from: .start) == .milliseconds(1))
    }

    @Test func `a trace offers its chances, first and last moment included`() throws {
        let offer = try Self.offer { $0.chances = [1, 1, 1, 10] }
        #expect(bits(offer, 0, 1) == 36_000)
        #expect(bits(offer, 1, 1) == 36_000)
        #expect(bits(offer, 2, 9) == 0)
        #expect(bits(offer, 2, 11) == 48_000)
        #expect(bits(offer, 0, 1_000) == 4_800_000)
        // Three chances in a millisecond, then a pause.
        #expect(offer.time(for: ByteCount(4_500), from: .start) == .milliseconds(1))
        #expect(offer.time(for: ByteCount(4_501), from: .start) == .milliseconds(10))
        #expect(
            offer.time(for: ByteCount(1), from: .start + .milliseconds(2)) == .milliseconds(8))
    }

    @Test func `steps offer the rate of each moment`() throws {
        let offer = try Self.offer {
            $0.rateSteps = [
                .init(from: .zero, rate: Bitrate(bitsPerSecond: 8_000_000)),
                .init(from: .seconds(1), rate: nil),
                .init(from: .seconds(3), rate: Bitrate(bitsPerSecond: 1_000_000)),
            ]
        }
        #expect(bits(offer, 500, 3_500) == 4_500_000)
        #expect(
            offer.time(for: ByteCount(1_000), from: .start + .seconds(2)) == .milliseconds(1_008))
    }

    @Test func `without its trace a link offers nothing that is known`() {
        var terms = LinkLog.terms
        terms.trace = 0
        #expect(LinkOffer(terms, traces: []) == nil)
    }
}
