import Device
import Quantities
import Testing

/// What a phone makes of what happens to its networks (B13).
@Suite struct DeviceNetworkTests {
    private static func told(_ kinds: [InterfaceKind]) -> NetworkPath {
        var network = DeviceNetwork(kinds, .init())
        var outputs: [DeviceNetwork.Output] = []
        _ = network.handle(.begins, at: .start, into: &outputs)
        return network.path
    }

    @Test func `Wi-Fi is used where there is one, cellular only without it`() {
        #expect(Self.told([.cellular, .wifi]).kind == .wifi)
        #expect(Self.told([.cellular]).kind == .cellular)
        #expect(Self.told([.cellular]).isMetered && !Self.told([.wifi]).isMetered)
        #expect(Self.told([.line]).kind == .line)
    }

    @Test func `when Wi-Fi is lost its connections end, and cellular takes over after a gap`() {
        var phone = NetworkBench()
        phone.happens(.lost(.wifi), at: 5)
        phone.happens(.found(.wifi, moved: false), at: 20)
        phone.happens(.wake, at: 60)
        #expect(
            phone.lines == [
                "5 s: 0 down", "5 s: ends on 0", "5 s: tells none, alive []",
                "6 s: tells cellular, alive [1], metered",
                "21 s: 0 up", "21 s: tells wifi, alive [0, 1]",
                "51 s: ends on 1",
            ])
    }

    @Test func `connections that are not ended go silent`() {
        var phone = NetworkBench(endsConnections: false)
        phone.happens(.lost(.wifi), at: 5)
        phone.happens(.wake, at: 9)
        #expect(!phone.lines.contains { $0.contains("ends") })
        #expect(phone.lines.contains("5 s: 0 down"))
    }

    @Test func `a Wi-Fi that fades lets its connections go on for a while`() {
        var phone = NetworkBench(linger: .seconds(10))
        phone.happens(.fades(.wifi), at: 5)
        phone.happens(.wake, at: 60)
        #expect(
            phone.lines == [
                "5 s: tells cellular, alive [0, 1], metered", "15 s: 0 down", "15 s: ends on 0",
                "15 s: tells cellular, alive [1], metered",
            ])
    }

    @Test func `a Wi-Fi that comes and goes within the gap is never used`() {
        var phone = NetworkBench(gap: .seconds(3))
        phone.happens(.lost(.wifi), at: 5)
        phone.happens(.found(.wifi, moved: false), at: 9)
        phone.happens(.lost(.wifi), at: 10)
        phone.happens(.wake, at: 30)
        #expect(!phone.lines.contains { $0.contains("tells wifi") || $0.contains("0 up") })
    }

    @Test func `in airplane mode there is nothing, and afterwards what was there before`() {
        var phone = NetworkBench()
        phone.happens(.lost(.cellular), at: 1)
        phone.happens(.airplaneMode(true), at: 5)
        phone.happens(.found(.cellular, moved: false), at: 6)
        phone.happens(.airplaneMode(false), at: 60)
        phone.happens(.wake, at: 70)
        #expect(
            phone.lines == [
                "1 s: 1 down", "1 s: ends on 1", "5 s: 0 down", "5 s: ends on 0",
                "5 s: tells none, alive []", "61 s: 0 up", "61 s: 1 up, moved",
                "61 s: tells wifi, alive [0]",
            ])
    }

    @Test func `a portal is not seen until the phone probes, and then its network is not used`() {
        var phone = NetworkBench()
        phone.happens(.portalComes(dropsOthers: false), at: 5)
        phone.happens(.wake, at: 20)
        phone.happens(.login, at: 50)
        #expect(
            phone.lines == [
                "5 s: portal 0 true", "5 s: cuts 0", "15 s: ends on 0",
                "15 s: tells cellular, alive [1], metered", "50 s: portal 0 false",
                "50 s: tells wifi, alive [0, 1]",
            ])
    }

    @Test func `a network with a portal that is joined is not used before somebody logs in`() {
        var phone = NetworkBench([.wifi])
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.portalComes(dropsOthers: true), at: 2)
        phone.happens(.found(.wifi, moved: true), at: 3)
        phone.happens(.login, at: 30)
        #expect(
            phone.lines == [
                "1 s: 0 down", "1 s: ends on 0", "1 s: tells none, alive []",
                "2 s: portal 0 true, drops", "2 s: cuts 0", "4 s: 0 up, moved",
                "30 s: portal 0 false", "30 s: tells wifi, alive [0]",
            ])
    }

    @Test func `apps hear what their network costs, and nothing twice`() {
        var phone = NetworkBench([.wifi])
        phone.happens(.wifiMetered(true), at: 1)
        phone.happens(.wifiMetered(true), at: 2)
        phone.happens(.lowDataMode(true), at: 3)
        phone.happens(.wifiMetered(false), at: 4)
        #expect(
            phone.lines == [
                "1 s: tells wifi, alive [0], metered",
                "3 s: tells wifi, alive [0], metered, low data",
                "4 s: tells wifi, alive [0], low data",
            ])
    }

    @Test func `a network that forgets leaves its links as they are`() {
        var phone = NetworkBench()
        phone.happens(.mappingsForgotten(resets: true), at: 1)
        #expect(phone.lines == ["1 s: cuts 0, resets", "1 s: cuts 1, resets"])
    }

    @Test func `healing brings everything back`() {
        var phone = NetworkBench()
        phone.happens(.portalComes(dropsOthers: false), at: 1)
        phone.happens(.lowDataMode(true), at: 2)
        phone.happens(.wifiMetered(true), at: 3)
        phone.happens(.airplaneMode(true), at: 20)
        phone.happens(.lost(.cellular), at: 21)
        phone.lines = []
        phone.happens(.heals, at: 30)
        phone.happens(.wake, at: 40)
        #expect(
            phone.lines == [
                "30 s: portal 0 false", "30 s: tells none, alive []", "31 s: 0 up",
                "31 s: 1 up, moved",
                "31 s: tells wifi, alive [0]",
            ])
    }
}
