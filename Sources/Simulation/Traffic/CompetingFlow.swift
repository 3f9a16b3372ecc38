import Content
import Quantities
import RunLog
import RunPlan

/// A TCP flow of cross traffic, and its progress.
struct CompetingFlow: Sendable {
    let begin: Instant
    let controller: TCPSettings.Controller
    private let plan: CrossTraffic.Competition
    private var queued = ByteCount.zero
    /// Packets delivered in the flow's direction, with headers.
    var delivered = LinkCount.Tally()

    init(_ plan: CrossTraffic.Competition) {
        self.plan = plan
        begin = .start + plan.from
        controller = plan.controller
    }

    var hosts: (sender: NetworkHost, receiver: NetworkHost) {
        switch plan.direction {
        case .uplink: (.client, .server)
        case .downlink: (.server, .client)
        }
    }

    var interface: Int { plan.interface }

    /// Returns the content to send next into this much room, and whether it is the last.
    mutating func take(_ room: ByteCount, number: Int) -> (ContentRange?, isLast: Bool) {
        let count = min((plan.length ?? Self.endless) - queued, room)
        let file = FileVersion(file: UInt32.max - UInt32(number), edit: 0)
        let content = ContentRange(file, offset: queued, length: count)
        queued += count
        return (count > .zero ? content : nil, queued == plan.length)
    }

    func announcement(number: Int) -> RunEvent.Fact {
        let terms = SharingTerms(flow: Self.flow(number), what: plan.sentence)
        return .link(.shared(link: UInt16(plan.direction.link(of: plan.interface)), terms))
    }

    func account(number: Int) -> RunEvent.Fact {
        let count = SharingCount(flow: Self.flow(number), delivered: delivered)
        return .link(.shareCounted(link: UInt16(plan.direction.link(of: plan.interface)), count))
    }

    /// Returns the flow of a packet: its endpoints are −1 and −2, then −3 and −4, and so on.
    static func number(of packet: borrowing Packet) -> Int { Int(~packet.endpoint / 2) }

    /// Whether a packet goes to the listening end, as content does.
    static func isForReceiver(_ packet: borrowing Packet) -> Bool { ~packet.endpoint & 1 == 1 }

    /// An exabyte, more than any run can send.
    private static let endless = ByteCount(1_000_000_000_000_000_000)

    /// Returns the flow number for the log, counted down from the highest like the endpoints.
    private static func flow(_ number: Int) -> UInt16 { UInt16.max - UInt16(number) }
}
