import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// LEDBAT++ over 10 Mbit/s and 40 ms, with a queue of 160 ms.
@Suite struct LEDBATOnLinksTests {
    private static let seconds: Int64 = 60

    @Test func `CUBIC keeps nine tenths beside it, and it what CUBIC leaves`() {
        let shares = Self.shares(of: [.cubic, .ledbat])
        #expect(shares[0] > 0.9 * (shares[0] + shares[1]), "\(shares)")
        #expect(shares[0] + shares[1] > 0.95, "\(shares)")
        // Another CUBIC would take half.
        let equal = Self.shares(of: [.cubic, .cubic])
        #expect(equal[0] < 0.7 * (equal[0] + equal[1]), "\(equal)")
    }

    @Test func `alone it fills the line with a queue of about its target`() {
        let hosts = Self.play([.ledbat])
        let share = Self.share(0, of: hosts)
        #expect(share > 0.9, "\(share)")
        let waits = Self.waits(in: hosts)
        let (median, high) = (waits[waits.count / 2], waits[waits.count * 95 / 100])
        #expect(median > 40 && median < 65, "\(median) ms")
        #expect(high < 70, "\(high) ms")
        #expect(hosts.packets.allSatisfy { $0.kind != .dropped })
    }

    @Test(arguments: [Int64(0), 10]) func `two of them share the line`(apart: Int64) {
        let shares = Self.shares(of: [.ledbat, .ledbat], apart: apart)
        let sum = shares[0] + shares[1]
        let jain = sum * sum / (2 * (shares[0] * shares[0] + shares[1] * shares[1]))
        #expect(jain > 0.85, "\(shares)")
        #expect(sum > 0.85, "\(shares)")
    }

    @Test func `only the client's background connections have the controller of the background`() {
        func seconds(isBackground: Bool) -> Double {
            let hosts = TwoHosts(
                .plain("uplink", queue: 160_000), .plain("downlink"),
                tcp: TCPSettings(backgroundController: .ledbat))
            hosts.open(isBackground: isBackground, sending: [.content(.file(1, 200_000))])
            hosts.play()
            return hosts.network.now.seconds
        }
        #expect(seconds(isBackground: true) > 1.5 * seconds(isBackground: false))
    }

    // MARK: Playing

    private static func shares(
        of controllers: [TCPSettings.Controller], apart: Int64 = 5
    ) -> [Double] {
        let hosts = play(controllers, apart: apart)
        return controllers.indices.map { share($0, of: hosts) }
    }

    private static func play(
        _ controllers: [TCPSettings.Controller], apart: Int64 = 5
    ) -> TwoHosts {
        let hosts = TwoHosts(
            .plain("uplink", megabits: 10, delay: .milliseconds(20), queue: 200_000),
            .plain("downlink", megabits: 10, delay: .milliseconds(20)),
            crossTraffic: .init(
                flows: controllers.enumerated().map { place, controller in
                    .init(
                        .uplink, count: 1, controller: controller,
                        from: .seconds(Int64(place) * apart))
                }))
        let end = Instant.start + .seconds(2 * seconds)
        hosts.network.setTimer(slot: 0, at: end)
        hosts.play(until: end)
        return hosts
    }

    /// A flow's share of the line in the second half.
    private static func share(_ number: Int, of hosts: TwoHosts) -> Double {
        let flow = UInt16.max - UInt16(number)
        let bytes = hosts.packets.reduce(into: UInt64(0)) { sum, record in
            guard record.flow == flow, record.link == 0, record.kind == .delivered,
                record.atNanoseconds > UInt64(seconds) * 1_000_000_000
            else { return }
            sum += UInt64(record.size)
        }
        return Double(bytes) * 8 / Double(seconds) / 10e6
    }

    /// How long packets wait in the second half, in milliseconds and in order.
    private static func waits(in hosts: TwoHosts) -> [Double] {
        var sentAt: [UInt32: UInt64] = [:]
        var waits: [Double] = []
        for record in hosts.packets where record.link == 0 && record.payload == 1448 {
            if record.kind == .sent { sentAt[record.packet] = record.atNanoseconds }
            guard record.kind == .delivered, let sent = sentAt[record.packet],
                record.atNanoseconds > UInt64(seconds) * 1_000_000_000
            else { continue }
            waits.append(Double(record.atNanoseconds - sent) / 1e6 - 21.2)
        }
        return waits.sorted()
    }
}
