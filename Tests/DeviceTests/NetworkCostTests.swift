import Device
import Quantities
import Testing

/// What apps are told of what a network costs.
@Suite struct NetworkCostTests {
    @Test func `cellular stays metered, whatever Wi-Fi is`() {
        var phone = NetworkBench()
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.wifiMetered(true), at: 5)
        phone.happens(.wifiMetered(false), at: 6)
        #expect(phone.lines.last == "2 s: tells cellular, alive [1], metered")
    }

    @Test func `low data mode begins and ends`() {
        var phone = NetworkBench([.wifi])
        phone.happens(.lowDataMode(true), at: 1)
        phone.happens(.lowDataMode(false), at: 2)
        #expect(
            phone.lines == ["1 s: tells wifi, alive [0], low data", "2 s: tells wifi, alive [0]"])
    }

    @Test func `where there is no network, none is metered`() {
        var phone = NetworkBench([.cellular])
        phone.happens(.lost(.cellular), at: 1)
        #expect(phone.lines.last == "1 s: tells none, alive []")
        #expect(!NetworkPath.none.isMetered && !NetworkPath.none.isLowData)
    }

    @Test func `who says nothing gets half a second of gap and half a minute of lingering`() {
        #expect(
            DeviceNetwork.Settings()
                == DeviceNetwork.Settings(
                    gap: .milliseconds(500), linger: .seconds(30), endsConnections: true))
    }
}
