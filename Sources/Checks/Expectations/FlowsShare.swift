import Quantities
import RunLog

/// `flows share LINK with fairness of NUMBER`: Jain's index of the rates of all named flows on a
/// link, (Σx)² / (n Σx²). Flows with a length, or in a part of the run those that do not last all
/// through it, are left out: they have no rate to compare.
struct FlowsShare: Expectation {
    let link: String
    /// The least index, in thousandths.
    let fairness: UInt64
    let window: ClosedRange<TimeSpan>?

    var watch = Watch()
    var ledger: FlowLedger

    init(_ link: String, fairness: UInt64, _ window: ClosedRange<TimeSpan>?) {
        self.link = link
        self.fairness = fairness
        self.window = window
        ledger = FlowLedger(during: window)
    }

    var statement: String {
        "flows share the \(link) with a fairness of \(Self.words(fairness))\(window.words)"
    }

    mutating func read(_ event: RunEvent) {
        ledger.read(event)
        guard case .run(.ended) = event.fact, reasonNotToJudge == nil else { return }
        let rates = rates
        let sum = rates.reduce(UInt128(0)) { $0 + UInt128($1.bits) }
        let squares = rates.reduce(UInt128(0)) { $0 + UInt128($1.bits) * UInt128($1.bits) }
        let index = UInt64(1_000 * sum * sum / (UInt128(rates.count) * max(squares, 1)))
        guard index < fairness else { return }
        let words = rates.map { rate in
            "\(rate.name) \(rate.bits > 0 ? "\(Bitrate(bitsPerSecond: rate.bits))" : "nothing")"
        }
        watch.fall(
            expected: statement,
            seen: "it is \(Self.words(index)): \(words.joined(separator: ", "))")
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        ledger.read(packets: packets)
    }

    var reasonNotToJudge: String? {
        if let missing = watch.missingEnd { return missing }
        let count = rates.count
        return count > 1 ? nil : "\(count == 1 ? "one flow" : "no flow") shares the \(link)"
    }

    /// The rate of each flow in bits per second.
    private var rates: [(name: String, bits: UInt64)] {
        ledger.accounts.filter { $0.linkName == link }.flatMap { account in
            account.flows.filter(lasts).map { flow in
                let rate = ledger.span(of: account).flatMap {
                    Bitrate(flow.acknowledged, in: $0.upperBound - $0.lowerBound)
                }
                return (account.name, rate?.bitsPerSecond ?? 0)
            }
        }
    }

    private func lasts(_ flow: FlowAccount.Flow) -> Bool {
        guard let window else { return flow.terms.length == nil }
        let end = flow.finishedAt?.sinceStart ?? flow.terms.until ?? window.upperBound
        return flow.terms.from <= window.lowerBound && end >= window.upperBound
    }

    private static func words(_ thousandths: UInt64) -> String {
        let places = "\(1_000 + thousandths % 1_000)".dropFirst()
        return "\(thousandths / 1_000).\(places)"
    }
}
