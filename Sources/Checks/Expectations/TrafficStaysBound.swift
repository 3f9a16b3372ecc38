import Quantities
import RunLog

/// `at most SIZE sent in all`, `at most N connections`, `at most PERCENT of packets dropped`, or
/// `at least`.
struct TrafficStaysBound: Expectation {
    let limit: ExpectationPlan.TrafficLimit

    var watch = Watch()
    var sent = ByteCount.zero
    var connections: UInt64 = 0
    var packets: UInt64 = 0
    var drops: UInt64 = 0
    var linkNames: [UInt16: String] = [:]

    var statement: String {
        switch limit {
        case .sent(let size): "\(size) leave the app, requests included"
        case .connections(let count): "\(count) connections are opened"
        case .drops(let share, let link):
            "\(share) of the packets are dropped\(link.map { " on the \($0)" } ?? "")"
        case .dropCount(let count, let link): "\(count) packets are dropped on the \(link)"
        }
    }

    var subject: RuleSubject? {
        switch limit {
        case .sent: .repetition
        case .connections, .drops, .dropCount: nil
        }
    }

    mutating func read(_ event: RunEvent) {
        switch (limit, event.fact) {
        case (.sent(let size), .connection(.ended(_, _, let transmitted))):
            sent += transmitted
            guard size.isExceeded(by: sent) else { return }
            watch.fall(
                expected: statement, seen: "\(sent) have left the app\(size.excess(of: sent))")
        case (.connections(let count), .connection(.opening)):
            connections += 1
            guard count.isExceeded(by: connections) else { return }
            watch.fall(expected: statement, seen: "this is connection number \(connections)")
        case (_, .link(.planned(let link, let terms))): linkNames[link] = terms.name
        case (.drops(_, let wanted), .link(.counted(let link, let count)))
        where wanted == nil || wanted == linkNames[link]:
            add(count)
        case (.dropCount(_, let wanted), .link(.counted(let link, let count)))
        where wanted == linkNames[link]:
            add(count)
        case (_, .run(.ended)): judgeAll()
        default: break
        }
    }

    private mutating func add(_ count: LinkCount) {
        packets += count.sent.packets + count.duplicated.packets
        drops += count.dropped.packets
    }

    private mutating func judgeAll() {
        switch limit {
        case .sent(let size):
            guard !size.isMet(by: sent) else { return }
            watch.fall(expected: statement, seen: "\(sent) have left the app")
        case .connections(let count):
            guard !count.isMet(by: connections) else { return }
            watch.fall(expected: statement, seen: "there were \(connections)")
        case .dropCount(let count, _):
            guard packets > 0 else {
                return watch.fall(expected: statement, seen: "the link has counted no packets")
            }
            guard !count.isMet(by: drops) else { return }
            watch.fall(expected: statement, seen: "\(drops) of \(packets) are dropped")
        case .drops(let share, _):
            guard packets > 0 else {
                return watch.fall(expected: statement, seen: "no link has counted its packets")
            }
            guard !share.isMet(by: drops, of: packets) else { return }
            watch.fall(expected: statement, seen: "\(drops) of \(packets) are dropped")
        }
    }
}

extension Bound<Probability> {
    /// Whether this many of all are the right share.
    fileprivate func isMet(by count: UInt64, of all: UInt64) -> Bool {
        switch self {
        case .atMost(let most): count <= most.share(of: all)
        case .atLeast(let least): count >= least.share(of: all)
        }
    }
}
