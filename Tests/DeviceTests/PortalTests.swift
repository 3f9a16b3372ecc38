import Device
import Quantities
import Testing

/// What a phone makes of a page that answers in everybody's place.
@Suite struct PortalTests {
    @Test func `healing takes the portal away, noticed or not`() {
        for noticed in [false, true] {
            var phone = NetworkBench()
            phone.happens(.portalComes(dropsOthers: true), at: 1)
            if noticed { phone.happens(.wake, at: 20) }
            phone.lines = []
            phone.happens(.heals, at: noticed ? 21 : 2)
            phone.happens(.wake, at: 30)
            #expect(
                phone.lines
                    == (noticed
                        ? ["21 s: portal 0 false", "21 s: tells wifi, alive [0, 1]"]
                        : ["2 s: portal 0 false"]))
        }
    }

    @Test func `a portal belongs to Wi-Fi, and comes where that is away, too`() {
        var phone = NetworkBench([.cellular, .wifi])
        phone.happens(.lost(.wifi), at: 1)
        phone.happens(.wake, at: 3)
        phone.lines = []
        phone.happens(.portalComes(dropsOthers: false), at: 4)
        #expect(phone.lines == ["4 s: portal 1 true", "4 s: cuts 1"])
    }

    @Test func `a second portal does not put off that the first is noticed`() {
        var phone = NetworkBench()
        phone.happens(.portalComes(dropsOthers: false), at: 1)
        phone.happens(.portalComes(dropsOthers: true), at: 8)
        phone.lines = []
        phone.happens(.wake, at: 30)
        #expect(phone.lines == ["11 s: ends on 0", "11 s: tells cellular, alive [1], metered"])
    }

    @Test func `connections of a network that is found to be captive go silent, if not ended`() {
        var phone = NetworkBench(endsConnections: false)
        phone.happens(.portalComes(dropsOthers: false), at: 1)
        phone.lines = []
        phone.happens(.wake, at: 30)
        #expect(phone.lines == ["11 s: tells cellular, alive [1], metered"])
    }
}
