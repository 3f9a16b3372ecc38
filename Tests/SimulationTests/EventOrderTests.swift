import Content
import LinkModels
import Quantities
import RunLog
import Testing

@testable import Simulation

@Suite struct EventOrderTests {
    @Test func `timers come by time, and at one time in the order in which they were set`() {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        let times: [(slot: Int32, milliseconds: UInt64)] = [
            (4, 20), (1, 10), (3, 20), (2, 10), (0, 20),
        ]
        for (slot, time) in times {
            hosts.network.setTimer(slot: slot, at: Instant(nanoseconds: time * 1_000_000))
        }
        hosts.play()
        #expect(hosts.events == [1, 2, 4, 3, 0].map { .timer(slot: $0) })
    }

    @Test func `perturbed ties come in another order, earlier events before later ones`() {
        var orders: Set<[Int32]> = []
        for ties in UInt64(0)..<20 {
            let hosts = TwoHosts(.plain("uplink"), .plain("downlink"), ties: ties)
            for slot in Int32(0)..<3 {
                hosts.network.setTimer(slot: slot, at: Instant(nanoseconds: 20))
            }
            hosts.network.setTimer(slot: 3, at: Instant(nanoseconds: 10))
            hosts.play()
            let slots = hosts.events.map { event in
                if case .timer(let slot) = event { slot } else { Int32(-1) }
            }
            #expect(slots.first == 3)
            orders.insert(slots)
        }
        #expect(orders.count == 6)
    }

    @Test func `perturbed ties leave the packets of a link in their order`() throws {
        // On a link without a delay that sends 1500 bytes in a nanosecond or so, many packets
        // arrive at one moment.
        let hosts = TwoHosts(
            .plain("uplink", megabits: 12_000_000, delay: .milliseconds(1), queue: 1_000_000),
            .plain("downlink", megabits: 12_000_000, delay: .milliseconds(1)), ties: 9)
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        for link in UInt16(0)...1 {
            let arrivals = hosts.packets.filter { $0.link == link && $0.kind == .delivered }
            #expect(arrivals.map(\.packet) == arrivals.map(\.packet).sorted())
        }
        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [.file(1, 1_000_000)])
    }

    @Test
    func `a timer that is set again moves, to the end of its equals; a cancelled one is gone`() {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        let early = Instant(nanoseconds: 10)
        for slot in Int32(0)..<4 { hosts.network.setTimer(slot: slot, at: early) }
        hosts.network.setTimer(slot: 1, at: early)
        hosts.network.setTimer(slot: 3, at: Instant(nanoseconds: 5))
        hosts.network.cancelTimer(slot: 2)
        hosts.play()
        #expect(hosts.events == [3, 0, 1].map { .timer(slot: $0) })
        #expect(hosts.network.now == early)
    }

    @Test func `a packet and a timer at one moment come in the order of their making`() throws {
        for timerFirst in [true, false] {
            let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
            let answered = Instant(nanoseconds: 20_120_000)
            if timerFirst { hosts.network.setTimer(slot: 0, at: answered) }
            hosts.open()
            hosts.play(until: Instant(nanoseconds: 15_000_000))
            if !timerFirst { hosts.network.setTimer(slot: 0, at: answered) }
            hosts.play(until: answered)
            let client = try #require(hosts.client)
            let inOrder: [NetworkEvent] = [.timer(slot: 0), .connected(client)]
            #expect(hosts.events == (timerFirst ? inOrder : inOrder.reversed()))
        }
    }

    /// Against a plain sorted list, over random entering, moving and taking out.
    @Test(arguments: [UInt64(1), 2, 3]) func `the queue agrees with a sorted list`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "event queue")
        var queue = EventQueue()
        var list: [EventQueue.Entry] = []
        for order in UInt64(0)..<20_000 {
            let source = Int32(random.below(300))
            switch random.below(4) {
            case 0, 1:
                let entry = EventQueue.Entry(
                    nanoseconds: random.below(50), order: order, source: source)
                queue.set(entry)
                list.removeAll { $0.source == source }
                list.append(entry)
            case 2:
                queue.remove(source: source)
                list.removeAll { $0.source == source }
            default:
                guard let first = list.min(by: { $0.comes(before: $1) }) else { continue }
                #expect(queue.first.source == first.source, "seed \(seed), step \(order)")
                queue.remove(source: first.source)
                list.removeAll { $0.source == first.source }
            }
            #expect(queue.isEmpty == list.isEmpty)
        }
    }
}
