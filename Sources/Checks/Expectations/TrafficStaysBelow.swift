import Quantities
import RunLog

/// `at most SIZE sent in all`, `at most N connections`, `at most PERCENT of packets dropped`.
struct TrafficStaysBelow: Check {
    let rule: String
    let place: String?
    private let limit: ExpectationPlan.TrafficLimit

    private var watch = Watch()
    private var sent = ByteCount.zero
    private var connections: UInt64 = 0
    private var packets: UInt64 = 0
    private var drops: UInt64 = 0

    init(_ limit: ExpectationPlan.TrafficLimit, words: String, place: String) {
        self.limit = limit
        rule = words
        self.place = place
    }

    var statement: String {
        switch limit {
        case .sent(let size): "at most \(size) leave the app, requests included"
        case .connections(let count): "at most \(count) connections are opened"
        case .drops(let share): "at most \(share) of the packets are dropped"
        }
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .connection(.opening): connections += 1
        case .connection(.ended(_, _, let transmitted)): sent += transmitted
        case .link(.counted(_, let count)):
            packets += count.sent.packets + count.duplicated.packets
            drops += count.dropped.packets
        case .run(.ended): break
        default: return
        }
        judge(atEnd: event.fact)
    }

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }

    private mutating func judge(atEnd fact: RunEvent.Fact) {
        switch limit {
        case .sent(let size):
            if sent > size { watch.fall(expected: statement, seen: "\(sent) have left the app") }
        case .connections(let count):
            guard connections > count else { return }
            watch.fall(expected: statement, seen: "this is connection number \(connections)")
        case .drops(let share):
            guard case .run(.ended) = fact else { return }
            guard packets > 0 else {
                return watch.fall(expected: statement, seen: "no link has counted its packets")
            }
            guard drops > share.share(of: packets) else { return }
            watch.fall(expected: statement, seen: "\(drops) of \(packets) are dropped")
        }
    }
}
