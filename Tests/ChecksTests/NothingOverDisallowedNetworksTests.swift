import Quantities
import RunLog
import Testing

@testable import Checks

/// S13: "No byte over a disallowed interface."
@Suite struct NothingOverDisallowedNetworksTests {
    private static let session = ItemName(1)
    private static let connection = ConnectionName(launch: 1, number: 1)

    /// A session with these limits runs over an interface: 0 is Wi-Fi, 1 is cellular.
    private static func log(
        _ limits: NetworkLimits?, over interface: UInt16, isMetered: Bool = false,
        isLowData: Bool = false
    ) -> TimedLog {
        var log = TimedLog()
        for (number, name) in ["Wi-Fi", "cellular"].enumerated() {
            log.add(
                .network(
                    .interface(
                        UInt16(number),
                        InterfaceTerms(
                            name: name, isCellular: number == 1, uplink: UInt16(2 * number),
                            downlink: UInt16(2 * number + 1), address: "192.0.2.2", radio: nil))))
        }
        if let limits { log.add(.engine(.isLimited(session, limits))) }
        log.add(
            path(interface, isMetered: isMetered, isLowData: isLowData),
            .engine(.attempt(session, number: 1)),
            .connection(.opening(connection, to: "docroot:80", by: ItemName(1))),
            .connection(.bound(connection, interface: interface)))
        return log
    }

    private static func path(
        _ interface: UInt16, isMetered: Bool = false, isLowData: Bool = false
    ) -> RunEvent.Fact {
        .network(
            .path(
                PathTerms(
                    interface: interface, name: "it", isMetered: isMetered, isLowData: isLowData,
                    alive: [interface])))
    }

    private static let request = RunEvent.Fact.connection(
        .request(connection, method: "PATCH", target: "/tus/1"))

    private static func limits(
        cellular: Bool = true, metered: Bool = true, lowData: Bool = true
    ) -> NetworkLimits {
        var limits: NetworkLimits = []
        if !cellular { limits.insert(.noCellular) }
        if !metered { limits.insert(.noMetered) }
        if !lowData { limits.insert(.noLowData) }
        return limits
    }

    @Test func `what may use a network holds, and what has no limits is not judged`() {
        let check = NothingOverDisallowedNetworks()
        #expect(Self.log(Self.limits(cellular: false), over: 0).answer(of: check) == .held)
        #expect(Self.log(Self.limits(metered: false), over: 1).answer(of: check) == .held)
        #expect(
            Self.log(nil, over: 1).answer(of: check)
                == .notApplicable(because: "every session had a network it may use"))
    }

    @Test func `a connection over cellular of a session that may not falls`() {
        let log = Self.log(Self.limits(cellular: false), over: 1)
        #expect(
            log.answer(of: NothingOverDisallowedNetworks())
                == log.brokenAtLast(
                    expected: "session 1 sends nothing over cellular",
                    seen: "connection 1.1 opens on interface 1, which is cellular"))
    }

    @Test func `a request after the network has become metered falls, or in low data mode`() {
        var metered = Self.log(Self.limits(metered: false), over: 0)
        metered.add(Self.request, Self.path(0, isMetered: true), Self.request)
        #expect(
            metered.answer(of: NothingOverDisallowedNetworks())
                == metered.brokenAtLast(
                    expected: "session 1 sends nothing over a metered network",
                    seen: "connection 1.1 asks on interface 0, which is Wi-Fi"))
        var saving = Self.log(Self.limits(lowData: false), over: 0)
        saving.add(Self.path(0, isLowData: true), Self.request)
        #expect(
            saving.answer(of: NothingOverDisallowedNetworks())
                == saving.brokenAtLast(
                    expected: "session 1 sends nothing in low data mode",
                    seen: "connection 1.1 asks on interface 0, which is Wi-Fi"))
    }

    @Test func `another session's connection is another's business`() {
        var log = Self.log(Self.limits(cellular: false), over: 0)
        let other = ConnectionName(launch: 1, number: 2)
        log.add(
            .connection(.ended(Self.connection, why: .closed, transmitted: .zero)),
            Self.path(1, isMetered: true), .engine(.attempt(ItemName(2), number: 1)),
            .connection(.bound(other, interface: 1)), Self.request)
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
    }

    @Test func `a network may be metered, or save data, for sessions that allow it`() {
        var log = Self.log(Self.limits(cellular: false), over: 0, isMetered: true, isLowData: true)
        log.add(Self.request)
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
    }

    @Test func `limits that are told anew are those that count`() {
        var log = Self.log(Self.limits(metered: false), over: 0)
        log.add(.engine(.isLimited(Self.session, Self.limits(lowData: false))))
        log.add(Self.path(0, isMetered: true), Self.request)
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
    }

    @Test func `a connection that stays open over a network that has become metered falls`() {
        var log = Self.log(Self.limits(metered: false), over: 0)
        log.add(Self.request, Self.path(0, isMetered: true))
        log.wait(.seconds(1))
        log.add(Self.path(0, isMetered: true))
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
        log.wait(.milliseconds(1))
        log.add(Self.path(0, isMetered: true))
        #expect(
            log.answer(of: NothingOverDisallowedNetworks())
                == log.brokenAtLast(
                    expected: "session 1 sends nothing over a metered network",
                    seen: "connection 1.1 is still open 1 s after the network has changed"))
    }

    /// Its last packets wait for an answer that does not come, such as behind a captive portal.
    @Test(arguments: [true, false])
    func `a connection that outlives its session is left to the network`(endsFirst: Bool) {
        var log = Self.log(Self.limits(metered: false), over: 0)
        let end = RunEvent.Fact.engine(
            .moves(Self.session, from: .running, to: .completed, because: "every file is there"))
        log.add(Self.request)
        for fact in endsFirst
            ? [end, Self.path(0, isMetered: true)] : [Self.path(0, isMetered: true), end]
        { log.add(fact) }
        log.wait(.seconds(2))
        log.add(Self.path(0, isMetered: true))
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
    }

    /// What closes a connection may wait for an answer that does not come, such as when the
    /// network's translator of addresses has forgotten it.
    @Test(arguments: [
        RunEvent.Fact.engine(
            .moves(session, from: .running, to: .retrying, because: "the disk fails")),
        .engine(.fails(session, code: 35, message: "disk read", retryIn: .seconds(2))),
    ])
    func `a connection that outlives its attempt is left to the network`(end: RunEvent.Fact) {
        var log = Self.log(Self.limits(metered: false), over: 0)
        log.add(Self.request, end, Self.path(0, isMetered: true))
        log.wait(.seconds(2))
        log.add(Self.path(0, isMetered: true))
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
        // An attempt that ends because of the network has to give up its connection.
        log = Self.log(Self.limits(metered: false), over: 0)
        log.add(Self.request, Self.path(0, isMetered: true), end)
        log.wait(.seconds(2))
        log.add(Self.path(0, isMetered: true))
        #expect(log.answer(of: NothingOverDisallowedNetworks()) != .held)
    }

    @Test func `a connection that outlives its attempt and asks again is watched again`() {
        var log = Self.log(Self.limits(metered: false), over: 0)
        log.add(
            Self.request,
            .engine(.fails(Self.session, code: 35, message: "disk read", retryIn: .seconds(2))),
            Self.request, Self.path(0, isMetered: true))
        log.wait(.seconds(2))
        log.add(Self.path(0, isMetered: true))
        #expect(log.answer(of: NothingOverDisallowedNetworks()) != .held)
    }

    @Test func `whoever was told that there is no network opens no connection`() {
        func log(since waits: TimeSpan, _ facts: RunEvent.Fact...) -> TimedLog {
            var log = Self.log(nil, over: 0)
            let none = PathTerms(
                interface: nil, name: nil, isMetered: false, isLowData: false, alive: [])
            log.add(.network(.path(none)))
            log.wait(waits)
            for fact in facts { log.add(fact) }
            log.add(.connection(.opening(Self.connection, to: "docroot:80", by: ItemName(1))))
            return log
        }
        let check = NothingOverDisallowedNetworks()
        // The app may not have heard of it yet, or not while it was suspended.
        #expect(log(since: .seconds(1)).answer(of: check) == .held)
        let entered = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .background, because: "of the test"))
        #expect(log(since: .seconds(2), entered).answer(of: check) == .held)
        #expect(log(since: .seconds(2), Self.path(0)).answer(of: check) == .held)
        let late = log(since: .milliseconds(1001))
        #expect(
            late.answer(of: check)
                == late.brokenAtLast(
                    expected: "nothing connects while there is no network, which the app has known "
                        + "since 0 s",
                    seen: "connection 1.1 opens"))
    }

    @Test func `a connection that has ended asks nothing more`() {
        var log = Self.log(Self.limits(metered: false), over: 0)
        log.add(
            .connection(.ended(Self.connection, why: .closed, transmitted: .zero)),
            Self.path(0, isMetered: true), Self.request)
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
    }

    @Test func `a connection is that of the item for which it is opened`() {
        let other = ConnectionName(launch: 1, number: 2)
        var log = Self.log(Self.limits(cellular: false), over: 0)
        log.add(
            .engine(.isLimited(ItemName(2), Self.limits(metered: false))),
            .connection(.opening(other, to: "docroot:80", by: ItemName(2))),
            .connection(.bound(other, interface: 1)))
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
        log.add(.connection(.bound(Self.connection, interface: 1)))
        #expect(log.answer(of: NothingOverDisallowedNetworks()) != .held)
    }

    @Test func `what another phone is told is said of its own interfaces`() {
        var log = Self.log(Self.limits(metered: false), over: 0)
        let others = PathTerms(
            interface: 2, name: "its own", isMetered: true, isLowData: false, alive: [2])
        log.add(.network(.path(others, device: 2)), Self.request)
        #expect(log.answer(of: NothingOverDisallowedNetworks()) == .held)
        log.add(.connection(.bound(Self.connection, interface: 2)))
        #expect(
            log.answer(of: NothingOverDisallowedNetworks())
                == log.brokenAtLast(
                    expected: "session 1 sends nothing over a metered network",
                    seen: "connection 1.1 opens on interface 2"))
    }

    @Test(arguments: [1, 2] as [UInt16])
    func `what another phone is told takes nothing back`(device: UInt16) {
        var log = Self.log(Self.limits(metered: false), over: 0)
        let others = PathTerms(
            interface: 2, name: "its own", isMetered: false, isLowData: false, alive: [2])
        log.add(
            Self.path(0, isMetered: true), .network(.path(others, device: device)), Self.request)
        #expect(
            log.answer(of: NothingOverDisallowedNetworks())
                == log.brokenAtLast(
                    expected: "session 1 sends nothing over a metered network",
                    seen: "connection 1.1 asks on interface 0, which is Wi-Fi"))
    }
}
