import LinkModels
import Protocols
import Quantities

/// One direction of the paced transport over the network: its sender, its receiver, and the reports
/// on their way.
///
/// A data packet carries the offset of its content as its sequence number, and its own number as
/// its acknowledgement number. Its kind is in the place of the generation. A report packet carries
/// its number; the report itself stays here.
struct PacedCourse: Sendable {
    var sender: PacedSender
    private(set) var receiver = PacedReceiver()
    /// The links by which the two ends send.
    var senderLink: Int32
    var receiverLink: Int32
    /// The endpoint of data packets. That of reports has the last bit inverted.
    private let endpoint: Int32
    /// Reports that may be on their way, by their numbers.
    private var reports: [UInt64: PacedReport] = [:]

    /// What a report has in the place of a packet's kind.
    static let kindOfReport: UInt8 = 16
    /// A report that so many have overtaken is lost.
    private static let mostReports = 1_024

    init(_ sender: PacedSender, to endpoint: Int32, over senderLink: Int32, _ receiverLink: Int32) {
        self.sender = sender
        self.endpoint = endpoint
        self.senderLink = senderLink
        self.receiverLink = receiverLink
    }

    /// Sends what is due.
    mutating func send(_ fabric: inout NetworkFabric) {
        while let packet = sender.next(at: fabric.kernel.now) {
            fabric.send(Packet(packet, offset: sender.offset, to: endpoint), on: senderLink)
        }
    }

    /// Sends the reports that are due.
    mutating func report(_ fabric: inout NetworkFabric) {
        let now = fabric.kernel.now
        while let report = receiver.report(at: now) {
            reports[report.number] = report
            if reports.count > Self.mostReports {
                reports = reports.filter { $0.key + UInt64(Self.mostReports) / 2 > report.number }
            }
            fabric.send(
                Packet(
                    endpoint: endpoint ^ 1, generation: Self.kindOfReport,
                    sequence: report.number, stamp: now.nanoseconds,
                    acknowledgement: 0, echo: 0, window: 0,
                    payload: UInt16(report.size) - Packet.Form.datagram.size, form: .datagram,
                    flags: []),
                on: receiverLink)
        }
    }

    /// Lets the receiver take a data packet; returns whether its content is new.
    mutating func arrived(_ packet: borrowing Packet, at now: Instant) -> Bool {
        receiver.arrived(PacedPacket(packet), at: now)
    }

    mutating func abort(at now: Instant) { receiver.abort(at: now) }

    /// Lets the sender read a report; returns whether it has told anything.
    mutating func heard(_ packet: borrowing Packet, at now: Instant) -> Bool {
        guard let report = reports.removeValue(forKey: packet.sequence) else { return false }
        return sender.heard(report, at: now)
    }
}

extension Packet {
    /// Makes a packet of the paced transport with content from `offset` on.
    fileprivate init(_ packet: PacedPacket, offset: UInt64, to endpoint: Int32) {
        self.init(
            endpoint: endpoint, generation: packet.kind.rawValue, sequence: offset,
            stamp: packet.sentAt.nanoseconds, acknowledgement: packet.number, echo: packet.floor,
            window: UInt16(packet.reportEvery.nanoseconds / 10_000),
            payload: UInt16(packet.size) - Packet.Form.datagram.size, form: .datagram, flags: [])
    }
}

extension PacedPacket {
    fileprivate init(_ packet: borrowing Packet) {
        self.init(
            Kind(rawValue: packet.generation) ?? .data, number: packet.acknowledgement,
            floor: packet.echo, sentAt: Instant(nanoseconds: packet.stamp),
            reportEvery: TimeSpan(nanoseconds: Int64(packet.window) * 10_000),
            size: Int(packet.size))
    }
}
