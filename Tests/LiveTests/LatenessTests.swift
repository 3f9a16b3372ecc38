import Live
import Quantities
import Testing

@Suite struct LatenessTests {
    @Test func `quantiles are at most a step of ten microseconds too high, and never too low`() {
        var lateness = Lateness()
        for microseconds in Int64(1)...10_000 { lateness.note(.microseconds(microseconds)) }
        for thousandths: UInt64 in [1, 500, 990, 999, 1_000] {
            let exact = TimeSpan.microseconds(Int64(thousandths) * 10)
            let told = lateness.quantile(thousandths: thousandths)
            #expect(told >= exact && told <= exact + .microseconds(10), "\(thousandths) ‰: \(told)")
        }
        #expect(lateness.longest == .milliseconds(10) && lateness.packets == 10_000)
    }

    @Test func `late is what is a millisecond late or later, however late it is`() {
        var lateness = Lateness()
        for span in [TimeSpan.zero, .microseconds(999), .milliseconds(1), .seconds(3)] {
            lateness.note(span)
        }
        #expect(lateness.latePackets == 2)
        #expect(lateness.longest == .seconds(3))
        #expect(lateness.quantile(thousandths: 1_000) == .seconds(3))
    }

    @Test func `two measures add up to what one would have been`() {
        var (one, other) = (Lateness(), Lateness())
        for _ in 0..<99 { one.note(.microseconds(5)) }
        other.note(.milliseconds(7))
        one.add(other)
        #expect(one.packets == 100 && one.latePackets == 1 && one.longest == .milliseconds(7))
        #expect(one.quantile(thousandths: 990) <= .microseconds(10))
    }

    @Test func `where nothing was measured nothing was late`() {
        #expect(Lateness().quantile(thousandths: 999) == .zero)
    }
}
