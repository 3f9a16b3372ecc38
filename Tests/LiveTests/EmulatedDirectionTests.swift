import LinkModels
import Quantities
import Testing

@testable import Live

/// The emulator's arithmetic, without a clock: the test says what time it is.
@Suite struct EmulatedDirectionTests {
    @Test func `a packet comes out when its bits are through and the way is behind it`() {
        var driver = Driver(.emulated())
        driver.put(1_000, at: 0)
        driver.put(500, at: 100)
        // A byte a microsecond, and ten milliseconds on the way.
        #expect(driver.take(at: 10_999) == nil)
        #expect(driver.nextDeadline == .start + .microseconds(11_000))
        #expect(driver.take(at: 11_000) == 1_000)
        #expect(driver.take(at: 11_499) == nil)
        #expect(driver.take(at: 11_500) == 500)
        #expect(driver.nextDeadline == nil)
    }

    @Test func `whoever comes late finds all in order, and the lateness is written down`() {
        var driver = Driver(.emulated())
        for size in [400, 300, 200] { driver.put(size, at: 0) }
        #expect([15_000, 15_000, 15_000].map { driver.take(at: $0) } == [400, 300, 200])
        #expect(driver.lateness.packets == 3 && driver.lateness.latePackets == 3)
        #expect(driver.lateness.longest == .microseconds(15_000 - 10_400))
    }

    @Test func `lateness does not add up: the next packet is on the time of the model`() {
        var driver = Driver(.emulated())
        driver.put(1_000, at: 0)
        #expect(driver.take(at: 19_000) == 1_000)
        driver.put(1_000, at: 19_000)
        #expect(driver.nextDeadline == .start + .microseconds(30_000))
    }

    @Test func `what finds no room is dropped, and so is what the list says`() {
        var driver = Driver(.emulated([.listedDataLoss([1])], queue: 1_000))
        #expect(driver.put(1_000, at: 0) == .arrives(.start + .microseconds(11_000)))
        #expect(driver.put(1_000, at: 0) == .dropped(.lost))
        #expect(driver.put(1_000, at: 0) == .arrives(.start + .microseconds(12_000)))
        #expect(driver.put(1_000, at: 0) == .dropped(.queueFull))
        #expect(driver.takeAll(at: 20_000) == [1_000, 1_000])
    }

    @Test func `bytes come out as they went in, thousands of packets later, too`() {
        var driver = Driver(.emulated(queue: 1_000_000_000))
        for round in 0..<5_000 {
            driver.put(100 + round % 7, at: 0, filling: UInt8(truncatingIfNeeded: round))
        }
        for round in 0..<5_000 {
            let packet = driver.takePacket(at: 1_000_000_000)
            #expect(packet?.count == 100 + round % 7)
            #expect(packet?.allSatisfy { $0 == UInt8(truncatingIfNeeded: round) } == true)
        }
    }

    @Test func `a packet that is held back is overtaken`() {
        let hold = FilterPlan.reordering(.init(chance: .always, hold: .milliseconds(5)))
        var driver = Driver(.emulated([hold]))
        driver.put(100, at: 0)
        #expect(driver.nextDeadline == .start + .microseconds(15_100))
        let mixed = FilterPlan.reordering(
            .init(chance: Probability(percent: 50) ?? .never, hold: .milliseconds(5)))
        driver = Driver(.emulated([mixed]))
        for size in 100..<200 { driver.put(size, at: 0) }
        let sizes = driver.takeAll(at: 100_000)
        #expect(sizes.sorted() == Array(100..<200) && sizes != sizes.sorted())
    }

    @Test func `a duplicated packet comes out twice, a corrupted one with other bits`() {
        var driver = Driver(.emulated([.duplication(.always), .corruption(.always)]))
        driver.put(100, at: 0, filling: 7)
        let packets = (0..<2).map { _ in driver.takePacket(at: 50_000) }
        #expect(packets.allSatisfy { $0?.count == 100 && $0?.first == 7 && $0?.last != 7 })
        #expect(driver.take(at: 50_000) == nil)
    }

    @Test func `a queue that decides at dequeue is asked at each departure`() {
        let queue = BottleneckPlan.Queue.disciplined(.dropHead, limit: ByteCount(2_000))
        var driver = Driver(.emulated(queue: queue))
        for size in [1_000, 1_001, 1_002, 1_003] { driver.put(size, at: 0) }
        // The first is being sent; of the others the oldest made room for the newest.
        #expect(driver.takeAll(at: 1_000_000) == [1_000, 1_003])
    }
}

/// Puts packets into a direction and takes them out, at moments in microseconds.
private struct Driver: ~Copyable {
    private var direction: EmulatedDirection

    init(_ plan: LinkPlan) { direction = EmulatedDirection(plan, seed: 7) }

    @discardableResult
    mutating func put(
        _ size: Int, at microseconds: Int64, filling byte: UInt8 = 0
    ) -> LinkDirection.Passage {
        let bytes = direction.incoming
        for index in 0..<size { bytes[index] = byte }
        return direction.accept(size, at: .start + .microseconds(microseconds))
    }

    mutating func takePacket(at microseconds: Int64) -> [UInt8]? {
        direction.takeArrived(at: .start + .microseconds(microseconds)).map { Array($0) }
    }

    mutating func take(at microseconds: Int64) -> Int? { takePacket(at: microseconds)?.count }

    mutating func takeAll(at microseconds: Int64) -> [Int] {
        var sizes: [Int] = []
        while let size = take(at: microseconds) { sizes.append(size) }
        return sizes
    }

    var nextDeadline: Instant? { direction.nextDeadline }
    var lateness: Lateness { direction.lateness }
}

extension LinkPlan {
    /// 8 Mbit/s are a byte a microsecond; ten milliseconds on the way.
    fileprivate static func emulated(
        _ filters: [FilterPlan] = [], queue: UInt64 = 1_000_000
    ) -> LinkPlan {
        emulated(filters, queue: .dropTail(limit: ByteCount(queue)))
    }

    fileprivate static func emulated(
        _ filters: [FilterPlan] = [], queue: BottleneckPlan.Queue
    ) -> LinkPlan {
        LinkPlan(
            name: "uplink", filters: filters, delay: .milliseconds(10),
            bottleneck: BottleneckPlan(
                rate: Bitrate(bitsPerSecond: 8_000_000), queue: queue))
    }
}
