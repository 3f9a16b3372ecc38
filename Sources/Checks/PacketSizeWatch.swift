import Quantities
import RunLog

/// Judges, from the log alone, the sizes of packets on a link where large ones do not pass: none of
/// these arrives, hosts that know the limit send none, and a host that a router has told of it
/// sends no more of them on that connection.
struct PacketSizeWatch: Sendable {
    private let link: UInt16
    private let name: String
    private let largest: UInt64
    private let known: UInt64?
    private let told: UInt64?
    /// Flows of other traffic, which need not be TCP.
    private var others: Set<UInt16> = []
    /// Flows whose sender has heard of the limit.
    private var informed: Set<UInt16> = []
    private var isDown = false
    /// Packets that were too large to pass while the link was up.
    private(set) var tooLarge: UInt64 = 0
    /// Packets that show whether the sender knows the limit: as large as possible, or sent after a
    /// message.
    private(set) var telling = 0

    /// Returns `nil` if packets of any size pass.
    init?(_ link: UInt16, _ terms: LinkTerms) {
        guard let limits = terms.largestPackets,
            let largest = limits.map(\.size.bytes).min()
        else { return nil }
        self.link = link
        name = terms.name
        self.largest = largest
        known = limits.filter(\.isKnown).map(\.size.bytes).min()
        told = limits.filter(\.isTold).map(\.size.bytes).min()
    }

    mutating func share(_ link: UInt16, _ flow: UInt16) {
        if link | 1 == self.link | 1 { others.insert(flow) }
    }

    mutating func turn(_ link: UInt16, down: Bool) {
        if link == self.link { isDown = down }
    }

    /// Returns why more packets cannot have been too large than were.
    func judge(_ link: UInt16, _ count: LinkCount) -> Slip? {
        let seen = count.drops?.tooLarge ?? 0
        guard link == self.link, seen > tooLarge else { return nil }
        return Slip(
            expected: "the \(name) drops at most \(tooLarge) packets as too large",
            seen: "it drops \(seen)")
    }

    mutating func read(_ record: PacketRecord) -> Slip? {
        if record.link == link ^ 1, record.kind == .delivered, record.isRoutersMessage {
            informed.insert(record.flow)
        }
        // A new connection in the place of an old one.
        if record.link | 1 == link | 1, record.kind == .sent, record.flags.asksToOpen {
            informed.remove(record.flow)
        }
        guard record.link == link else { return judge(answer: record) }
        let size = UInt64(record.size)
        let packet = "packet \(record.packet) of the \(name)"
        if record.kind == .delivered, size > largest {
            return Slip(
                expected: "\(packet) is dropped, because only \(largest) B pass",
                seen: "it arrives with \(size) B")
        }
        guard record.kind == .sent else { return nil }
        if size > largest, !isDown { tooLarge += 1 }
        guard !others.contains(record.flow) else { return nil }
        if let known {
            if size == known { telling += 1 }
            if size > known {
                return Slip(
                    expected: "\(packet) has at most the \(known) B of which its sender knows",
                    seen: "it has \(size) B")
            }
        }
        guard let told, informed.contains(record.flow) else { return nil }
        telling += 1
        guard size > told else { return nil }
        return Slip(
            expected: "\(packet) has at most \(told) B, as a router has told its sender",
            seen: "it has \(size) B")
    }
}

extension PacketSizeWatch {
    /// A host that knows the limit says so in its SYN, so what comes back is no larger either.
    private func judge(answer record: PacketRecord) -> Slip? {
        let size = UInt64(record.size)
        guard let known, size > known, record.link == link ^ 1, record.kind == .sent,
            !others.contains(record.flow)
        else { return nil }
        return Slip(
            expected: "packet \(record.packet) against the \(name) has at most the \(known) B "
                + "that a SYN has allowed",
            seen: "it has \(size) B")
    }
}

extension PacketRecord {
    /// Whether it is a message of a router: only these have neither ACK nor SYN nor RST.
    fileprivate var isRoutersMessage: Bool { flags.isEmpty && payload == 0 }
}
