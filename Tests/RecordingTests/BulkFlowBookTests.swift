import Quantities
import Recording
import Testing

@Suite struct BulkFlowBookTests {
    private static func at(_ milliseconds: Int64) -> Instant {
        .start + .milliseconds(milliseconds)
    }

    @Test func `the flow is over with the last loss of its pattern, and counts nothing after it`() {
        var book = BulkFlowBook(pattern: [1, 3], limit: .seconds(10))
        book.sent(0, payload: 0, at: Self.at(5))
        book.opened(with: 999)
        for moment in 10..<13 { book.sent(0, payload: 1_000, at: Self.at(Int64(moment))) }
        book.acknowledged(to: 2_000, at: Self.at(14))
        #expect(!book.isOver && book.losses == [Self.at(11)])
        book.sent(0, payload: 1_000, at: Self.at(105))
        book.acknowledged(to: 9_000, at: Self.at(106))
        book.sent(0, payload: 1_000, at: Self.at(107))
        #expect(book.isOver && book.end == Self.at(105))
        #expect(book.acknowledged == 1_000 && book.dataPackets == 4)
        #expect(book.goodput == 80_000, "a thousand bytes in a tenth of a second")
    }

    @Test func `without a pattern the flow is over at its limit, to the nanosecond`() {
        var book = BulkFlowBook(pattern: [], limit: .milliseconds(250))
        book.sent(0, payload: 1_000, at: Self.at(7))
        book.advance(to: Self.at(256))
        #expect(!book.isOver)
        book.acknowledged(to: 1, at: Self.at(300))
        #expect(book.end == Self.at(257) && book.acknowledged == 0)
        #expect(book.samples.map(\.at) == [Self.at(107), Self.at(207)])
    }

    @Test func `acknowledgements are added up across the place where wire numbers wrap`() {
        var book = BulkFlowBook(pattern: [], limit: .seconds(10))
        book.sent(0, payload: 0, at: .start)
        book.opened(with: 0xffff_fff0)
        for number: UInt32 in [0xffff_fff1, 0xffff_ffff, 5, 3, 0x4000_0000] {
            book.acknowledged(to: number, at: Self.at(1))
        }
        #expect(book.acknowledged == 0x4000_0000 + 15)
    }

    @Test func `a sample tells how things stood at its moment, not at the packet after it`() {
        var book = BulkFlowBook(pattern: [0], limit: .seconds(10))
        book.sent(0, payload: 0, at: .start)
        book.foundNoRoom()
        book.sent(0, payload: 1_000, at: Self.at(350))
        #expect(book.samples.count == 3)
        #expect(book.samples.allSatisfy { $0.dataPackets == 0 && $0.queueDrops == 1 })
    }

    @Test func `what had been sent before is a retransmission, and the peak flight counts it once`()
    {
        var book = BulkFlowBook(pattern: [], limit: .seconds(10))
        book.sent(0xffff_fc17, payload: 0, at: .start)
        book.opened(with: 0xffff_fc17)
        // A thousand bytes up to the place where numbers wrap, and two thousand beyond it.
        for number: UInt32 in [0xffff_fc18, 0, 1_000] {
            book.sent(number, payload: 1_000, at: Self.at(1))
        }
        book.acknowledged(to: 0, at: Self.at(2))
        book.sent(0, payload: 1_000, at: Self.at(3))
        book.sent(2_000, payload: 500, at: Self.at(3))
        #expect(book.retransmissions == 1 && book.dataPackets == 5)
        #expect(book.peakFlight == 3_000)
        book.sent(2_500, payload: 1_000, at: Self.at(4))
        #expect(book.peakFlight == 3_500)
    }
}
