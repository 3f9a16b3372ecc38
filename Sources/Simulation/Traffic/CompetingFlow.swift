import Content
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// A flow of cross traffic, and its progress.
struct CompetingFlow: Sendable {
    let begin: Instant
    let plan: FlowGroup
    /// The first of two links to a server that is further away: there, then back.
    private let way: Int32?
    private var queued = ByteCount.zero
    /// Packets delivered in the flow's direction, with headers.
    var delivered = LinkCount.Tally()
    var isOver = false

    init(_ plan: FlowGroup, from begin: Instant, over way: Int32?) {
        self.plan = plan
        self.begin = begin
        self.way = way
    }

    var hosts: (sender: NetworkHost, receiver: NetworkHost) {
        switch plan.direction {
        case .uplink: (.client, .server)
        case .downlink: (.server, .client)
        }
    }

    /// The link that the flow shares with others.
    var link: Int32 { plan.direction.link(of: plan.interface) }

    /// The links by which both ends send.
    var senderLink: Int32 { link(of: hosts.sender) }
    var receiverLink: Int32 { link(of: hosts.receiver) }

    private func link(of host: NetworkHost) -> Int32 {
        let own = host.link(of: plan.interface)
        return host == .server ? serverLink ?? own : own
    }

    /// The link by which the server sends, if it is not the interface's.
    var serverLink: Int32? { way.map { $0 + 1 } }

    /// Whether the run lasts until the flow is over.
    var isAwaited: Bool { plan.name != nil && plan.length != nil }

    /// Returns the link by which a packet goes on that a link has delivered; `nil`: it has arrived.
    func next(after link: Int32) -> Int32? {
        guard let way else { return nil }
        if link == NetworkHost.client.link(of: plan.interface) { return way }
        return link == way + 1 ? NetworkHost.server.link(of: plan.interface) : nil
    }

    /// Returns the content to send next into this much room, and whether it is the last.
    mutating func take(
        _ room: ByteCount, number: Int, at now: Instant
    ) -> (ContentRange?, isLast: Bool) {
        if let until = plan.until, plan.length == nil, now >= .start + until { return (nil, true) }
        let count = min((plan.length ?? Self.endless) - queued, room)
        let file = FileVersion(file: UInt32.max - UInt32(number), edit: 0)
        let content = ContentRange(file, offset: queued, length: count)
        queued += count
        return (count > .zero ? content : nil, queued == plan.length)
    }

    func announcement(number: Int) -> RunEvent.Fact {
        let named = plan.name.map { name in
            NamedFlow(
                name: name, from: begin.sinceStart,
                until: plan.length == nil ? plan.until : nil, length: plan.length,
                overhead: plan.paced.map { _ in Self.overheadOfPaced })
        }
        let terms = SharingTerms(flow: Self.flow(number), what: plan.sentence, named: named)
        return .link(.shared(link: UInt16(link), terms))
    }

    func account(number: Int) -> RunEvent.Fact {
        let count = SharingCount(flow: Self.flow(number), delivered: delivered)
        return .link(.shareCounted(link: UInt16(link), count))
    }

    /// Returns the flow of a packet: its endpoints are −1 and −2, then −3 and −4, and so on.
    static func number(of packet: borrowing Packet) -> Int { Int(~packet.endpoint / 2) }

    /// An exabyte, more than any run can send.
    static let endless = ByteCount(1_000_000_000_000_000_000)

    private static let overheadOfPaced = ByteCount(
        UInt64(PacedFormat.headers - PacedFormat.outerHeaders))

    /// Returns the flow number for the log, counted down from the highest like the endpoints.
    static func flow(_ number: Int) -> UInt16 { UInt16.max - UInt16(number) }
}

extension FlowGroup {
    /// Returns the moments at which flows of the group begin.
    func beginnings(seed: UInt64) -> [Instant] {
        let first = Instant.start + from
        guard let arrivals, let until else { return [first] }
        var random = RandomStream(seed: seed, name: "flows/\(name ?? "")/arrivals")
        var moments: [Instant] = []
        var moment = first
        while moment < .start + until {
            moments.append(moment)
            moment = moment + arrivals.gaps.length(arrivals.gap, from: &random)
        }
        return moments
    }
}
