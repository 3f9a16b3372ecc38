import Quantities
import RunLog

/// `at most SIZE sent in all`, `at most N connections`, `at most PERCENT of packets dropped`.
struct TrafficStaysBelow: Expectation {
    let limit: ExpectationPlan.TrafficLimit

    var watch = Watch()
    var sent = ByteCount.zero
    var connections: UInt64 = 0
    var packets: UInt64 = 0
    var drops: UInt64 = 0

    var statement: String {
        switch limit {
        case .sent(let size): "at most \(size) leave the app, requests included"
        case .connections(let count): "at most \(count) connections are opened"
        case .drops(let share): "at most \(share) of the packets are dropped"
        }
    }

    mutating func read(_ event: RunEvent) {
        switch (limit, event.fact) {
        case (.sent(let size), .connection(.ended(_, _, let transmitted))):
            sent += transmitted
            if sent > size { watch.fall(expected: statement, seen: "\(sent) have left the app") }
        case (.connections(let count), .connection(.opening)):
            connections += 1
            guard connections > count else { return }
            watch.fall(expected: statement, seen: "this is connection number \(connections)")
        case (.drops, .link(.counted(_, let count))):
            packets += count.sent.packets + count.duplicated.packets
            drops += count.dropped.packets
        case (.drops(let share), .run(.ended)):
            guard packets > 0 else {
                return watch.fall(expected: statement, seen: "no link has counted its packets")
            }
            guard drops > share.share(of: packets) else { return }
            watch.fall(expected: statement, seen: "\(drops) of \(packets) are dropped")
        default: break
        }
    }
}
