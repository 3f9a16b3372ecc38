import Quantities
import RunLog

/// `flow NAME reaches RATE`, and other sentences about the flows with one name, judged at the end
/// of the run from its packets.
struct FlowGets: Expectation {
    let name: String
    let demand: ExpectationPlan.FlowDemand
    let window: ClosedRange<TimeSpan>?

    var watch = Watch()
    var ledger: FlowLedger

    init(_ name: String, _ demand: ExpectationPlan.FlowDemand, _ window: ClosedRange<TimeSpan>?) {
        self.name = name
        self.demand = demand
        self.window = window
        ledger = FlowLedger(during: window)
    }

    var statement: String { "flow \(name) \(demand.words)\(window.words)" }

    mutating func read(_ event: RunEvent) {
        ledger.read(event)
        guard case .run(.ended) = event.fact, reasonNotToJudge == nil else { return }
        guard let seen = complaint() else { return }
        watch.fall(expected: statement, seen: seen)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        ledger.read(packets: packets)
    }

    var reasonNotToJudge: String? {
        if let missing = watch.missingEnd { return missing }
        for name in [name] + demand.others {
            guard let account = ledger.account(name) else { return "there is no flow \(name)" }
            guard account.hasSent, ledger.span(of: account) != nil else {
                return "flow \(name) sent nothing\(window.words)"
            }
        }
        return nil
    }

    /// Returns what was measured if it is not what is expected.
    private func complaint() -> String? {
        guard let account = ledger.account(name) else { return nil }
        switch demand {
        case .reaches(let least):
            let goodput = ledger.goodput(of: account)
            guard goodput.map({ $0 < least }) ?? true else { return nil }
            return "\(account.acknowledged) came through\(period(of: account)) on the "
                + "\(account.linkName), which is \(goodput.map { "\($0)" } ?? "nothing")"
        case .gets(let range):
            let part = account.delivered.bytes
            let whole = account.linkBytes.bytes
            guard !range.holds(part, of: whole) else { return nil }
            return "it got \(percent(part, of: whole)) of the \(account.linkName): \(part) of "
                + "\(whole) B delivered\(period(of: account))"
        case .getsBeside(let range, let other):
            guard let beside = ledger.account(other) else { return nil }
            let rates = [account, beside].map { ledger.goodput(of: $0)?.bitsPerSecond ?? 0 }
            guard !range.holds(rates[0], of: rates[1]) else { return nil }
            let words = rates.map { $0 > 0 ? "\(Bitrate(bitsPerSecond: $0))" : "nothing" }
            return "it got \(words[0]), and flow \(other) \(words[1]): "
                + percent(rates[0], of: rates[1])
        case .sendsAgain(let most):
            let (again, sent) = (account.sentAgain.bytes, account.sent.bytes)
            guard again > most.share(of: sent) else { return nil }
            return "it sent \(account.sentAgain) of \(account.sent) again, which is "
                + "\(percent(again, of: sent)), on the \(account.linkName)"
        case .sendsInVain(let most):
            let (inVain, sent) = (account.inVain.bytes, account.sent.bytes)
            guard inVain > most.share(of: sent) else { return nil }
            return "\(account.inVain) of \(account.sent) that it sent had arrived before, which "
                + "is \(percent(inVain, of: sent)), on the \(account.linkName)"
        case .ends(let limit):
            return unpunctual(account, limit)
        }
    }

    /// Returns which flow took too long, or is not over.
    private func unpunctual(_ account: FlowAccount, _ limit: TimeSpan) -> String? {
        let flows = account.flows.filter { flow in
            window.map { $0.contains(flow.terms.from) } ?? true
        }
        if let open = flows.first(where: { $0.duration == nil }) {
            let length = open.terms.length.map { " of \($0)" } ?? ""
            return "the flow that began at \(open.terms.from) is not over: \(open.acknowledged)"
                + "\(length) came through"
        }
        let slowest = flows.max { ($0.duration ?? .zero) < ($1.duration ?? .zero) }
        guard let slowest, let time = slowest.duration, time > limit else { return nil }
        return "the slowest of \(flows.count), which began at \(slowest.terms.from), took \(time)"
    }

    private func period(of account: FlowAccount) -> String {
        let span = ledger.span(of: account).map {
            $0.lowerBound.sinceStart...$0.upperBound.sinceStart
        }
        return span.words
    }
}

extension ExpectationPlan.FlowDemand {
    var words: String {
        switch self {
        case .reaches(let rate): "reaches \(rate)"
        case .gets(let range):
            "gets \(range.lowerBound) to \(range.upperBound) of what its link delivers"
        case .getsBeside(let range, let other):
            "gets \(range.lowerBound) to \(range.upperBound) of what flow \(other) gets"
        case .sendsAgain(let most): "sends at most \(most) of its bytes again"
        case .sendsInVain(let most): "sends at most \(most) of its bytes in vain"
        case .ends(let limit): "ends within \(limit)"
        }
    }

    /// The other flows that it speaks of.
    fileprivate var others: [String] {
        if case .getsBeside(_, let other) = self { [other] } else { [] }
    }
}

extension ClosedRange<TimeSpan>? {
    /// A window of time as the end of a sentence.
    var words: String {
        guard let window = self else { return "" }
        return window.lowerBound == .zero
            ? " until \(window.upperBound)"
            : " between \(window.lowerBound) and \(window.upperBound)"
    }
}

extension ClosedRange<Probability> {
    fileprivate func holds(_ part: UInt64, of whole: UInt64) -> Bool {
        part >= lowerBound.share(of: whole) && part <= upperBound.share(of: whole)
    }
}

/// Returns a part of the whole as a percentage with one decimal.
func percent(_ part: UInt64, of whole: UInt64) -> String {
    let share = thousandths(part, of: whole)
    return "\(share / 10).\(share % 10) %"
}
