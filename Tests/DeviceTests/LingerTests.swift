import Device
import Quantities
import Testing

/// How long connections go on over an interface when another one is used.
@Suite struct LingerTests {
    @Test func `who is used again lingers no more`() {
        var phone = Self.lingering()
        phone.happens(.lost(.wifi), at: 20)
        phone.happens(.wake, at: 100)
        #expect(
            phone.lines == [
                "20 s: 0 down", "20 s: ends on 0", "20 s: tells none, alive [1]",
                "21 s: tells cellular, alive [1], metered",
            ])
    }

    @Test func `who is used again at the moment of its end keeps its connections`() {
        var phone = Self.lingering(gap: .zero)
        phone.happensFirst(.lost(.wifi), at: 40)
        #expect(
            phone.lines == [
                "40 s: 0 down", "40 s: ends on 0", "40 s: tells cellular, alive [1], metered",
            ])
    }

    @Test func `who is lost while it lingers is not ended once more`() {
        var phone = Self.lingering()
        phone.happens(.lost(.cellular), at: 20)
        phone.happens(.wake, at: 100)
        #expect(
            phone.lines == ["20 s: 1 down", "20 s: ends on 1", "20 s: tells wifi, alive [0]"])
    }

    @Test func `what has ended is alive no more when apps are told the next time`() {
        var phone = Self.lingering()
        phone.happens(.lowDataMode(true), at: 60)
        #expect(phone.lines == ["41 s: ends on 1", "60 s: tells wifi, alive [0], low data"])
    }

    @Test func `where nothing takes over, connections go on over what fades`() {
        var phone = NetworkBench([.wifi], linger: .seconds(10))
        phone.happens(.fades(.wifi), at: 5)
        phone.happens(.wake, at: 60)
        #expect(
            phone.lines == [
                "5 s: tells none, alive [0]", "15 s: 0 down", "15 s: ends on 0",
                "15 s: tells none, alive []",
            ])
    }

    @Test func `connections that are not ended go silent when their time is up, too`() {
        var phone = NetworkBench(linger: .seconds(10), endsConnections: false)
        phone.happens(.fades(.wifi), at: 5)
        phone.happens(.wake, at: 60)
        #expect(
            phone.lines == [
                "5 s: tells cellular, alive [0, 1], metered", "15 s: 0 down",
                "15 s: tells cellular, alive [1], metered",
            ])
    }

    /// Wi-Fi is used again since 10 s, after the gap, and connections linger on cellular.
    private static func lingering(gap: TimeSpan = .seconds(1)) -> NetworkBench {
        var phone = NetworkBench(gap: gap)
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.found(.wifi, moved: false), at: 10)
        phone.happens(.wake, at: 12)
        phone.lines = []
        return phone
    }
}
