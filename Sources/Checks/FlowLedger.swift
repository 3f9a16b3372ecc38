package import Quantities
package import RunLog

/// What the named flows of a run get through, and what they meet on the links that they share: from
/// the packets alone.
package struct FlowLedger: RunLogReader, Sendable {
    package private(set) var accounts: [FlowAccount] = []
    /// The time that is looked at; `nil`: the whole run.
    private let window: ClosedRange<Instant>?
    /// The account of each flow and the flow's place in it, by the distance from the highest
    /// number.
    private var places: [(account: Int, flow: Int)?] = []
    private var lanes: [Lane] = []
    private var endedAt: Instant?

    /// A link, and the accounts of the flows that send over it.
    private struct Lane: Sendable {
        var terms: LinkTerms?
        var accounts: [Int] = []
        var onWay = PacketsOnWay()
    }

    package init(during window: ClosedRange<TimeSpan>? = nil) {
        self.window = window.map {
            Instant.start + $0.lowerBound...Instant.start + $0.upperBound
        }
    }

    package mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .link(.planned(let link, let terms)):
            makeRoom(for: link)
            lanes[Int(link)].terms = terms
        case .link(.shared(let link, let terms)):
            if let flow = terms.named { add(flow, number: terms.flow, on: link) }
        case .run(.ended): endedAt = event.at
        default: break
        }
    }

    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        guard !accounts.isEmpty else { return }
        for record in packets where Int(record.link) < lanes.count { read(record) }
    }

    /// Returns the account of the flows with a name.
    func account(_ name: String) -> FlowAccount? { accounts.first { $0.name == name } }

    /// Returns the time in which flows sent, as far as it is looked at; `nil` if there was none.
    /// `last` is the end of a run that is not in the log.
    package func span(
        of account: FlowAccount, until last: Instant = .start
    ) -> ClosedRange<Instant>? {
        let end = account.end(ofRun: endedAt ?? last)
        let begin = max(account.begin, window?.lowerBound ?? .start)
        let last = min(end, window?.upperBound ?? end)
        return begin < last ? begin...last : nil
    }

    /// Returns the mean rate of the flows with a name, in a run that lasts until `last`.
    package func goodput(of name: String, until last: Instant) -> Bitrate? {
        account(name).flatMap { goodput(of: $0, until: last) }
    }

    /// Returns the mean rate of the bytes that were acknowledged for the first time.
    func goodput(of account: FlowAccount, until last: Instant = .start) -> Bitrate? {
        span(of: account, until: last).flatMap {
            Bitrate(account.acknowledged, in: $0.upperBound - $0.lowerBound)
        }
    }

    // MARK: Private parts

    private mutating func makeRoom(for link: UInt16) {
        while lanes.count <= Int(link) { lanes.append(Lane()) }
    }

    private mutating func add(_ flow: NamedFlow, number: UInt16, on link: UInt16) {
        makeRoom(for: link)
        var place = accounts.firstIndex { $0.name == flow.name }
        if place == nil {
            accounts.append(FlowAccount(flow.name, on: link, lanes[Int(link)].terms))
            place = accounts.count - 1
            lanes[Int(link)].accounts.append(accounts.count - 1)
        }
        guard let place else { return }
        let distance = Int(UInt16.max - number)
        while places.count <= distance { places.append(nil) }
        places[distance] = (place, accounts[place].flows.count)
        accounts[place].add(flow)
    }

    private mutating func read(_ record: PacketRecord) {
        let distance = Int(UInt16.max - record.flow)
        let sentAt = lanes[Int(record.link)].accounts.isEmpty ? nil : follow(record)
        guard distance < places.count, let owner = places[distance] else { return }
        accounts[owner.account].note(
            record, of: owner.flow, sentAt: sentAt,
            counts: window?.contains(Instant(nanoseconds: record.atNanoseconds)) ?? true)
    }

    /// Follows a packet on a link that named flows use; returns when a delivered one was sent.
    private mutating func follow(_ record: PacketRecord) -> UInt64? {
        let link = Int(record.link)
        switch record.kind {
        case .sent: lanes[link].onWay.append(PacketsOnWay.Entry(of: record))
        case .duplicated: lanes[link].onWay.duplicate(record.packet)
        case .dropped: _ = lanes[link].onWay.leave(record.packet)
        case .delivered:
            let sentAt = lanes[link].onWay.leave(record.packet)
            let now = Instant(nanoseconds: record.atNanoseconds)
            guard window?.contains(now) ?? true else { return sentAt }
            for place in lanes[link].accounts {
                accounts[place].noteOfLink(bytes: UInt64(record.size), at: now)
            }
            return sentAt
        case .captured: break
        }
        return nil
    }
}
