import Quantities
import Testing

@Suite struct BitrateTests {
    @Test func `1500 bytes at 100 Mbit per second take 120 microseconds`() {
        let rate = Bitrate(bitsPerSecond: 100_000_000)
        #expect(rate.timeToSend(ByteCount(1500)) == .microseconds(120))
    }

    @Test func `a fraction of a nanosecond is rounded up, so that nothing is early`() {
        let rate = Bitrate(bitsPerSecond: 3_000_000_000)
        #expect(rate.timeToSend(ByteCount(1)) == TimeSpan(nanoseconds: 3))
    }

    @Test func `a terabyte at a slow rate does not overflow`() {
        let rate = Bitrate(bitsPerSecond: 1_000_000)
        #expect(rate.timeToSend(ByteCount(1_000_000_000_000)) == .seconds(8_000_000))
    }

    @Test(arguments: [1, 300, 64_000] as [UInt64])
    func `what takes centuries takes the longest span there is`(bitsPerSecond: UInt64) {
        let rate = Bitrate(bitsPerSecond: bitsPerSecond)
        let petabyte = ByteCount(1_000_000_000_000_000)
        #expect(rate.timeToSend(petabyte) == TimeSpan(nanoseconds: .max))
    }

    @Test(arguments: [1, 3, 9_600, 7_999_999_999, 8_000_000_000, 8_000_000_001, UInt64.max])
    func `what is added up for many sizes is what is divided for each`(bitsPerSecond: UInt64) {
        let rate = Bitrate(bitsPerSecond: bitsPerSecond)
        let times = rate.timesToSend(fewerThan: 2_048)
        #expect(times == (0..<2_048).map { rate.timeToSend(ByteCount($0)) })
    }
}
