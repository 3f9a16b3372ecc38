import LinkModels
import Protocols
import Quantities

/// The way of a sender's packets over the network, and that of the reports about them.
///
/// A data packet carries the offset of its content as its sequence number, and its own number as
/// its acknowledgement number. Its kind is in the place of the generation. A report packet carries
/// its number; the report itself stays here.
struct PacedWay: Sendable {
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

    init(to endpoint: Int32, over senderLink: Int32, _ receiverLink: Int32) {
        self.senderLink = senderLink
        self.receiverLink = receiverLink
        self.endpoint = endpoint
    }

    /// Sends a packet with content from `offset` on.
    @inline(__always)
    func send(_ packet: PacedPacket, offset: UInt64, _ fabric: inout NetworkFabric) {
        fabric.send(Packet(packet, offset: offset, to: endpoint), on: senderLink)
    }

    mutating func send(_ report: PacedReport, _ fabric: inout NetworkFabric) {
        reports[report.number] = report
        if reports.count > Self.mostReports {
            reports = reports.filter { $0.key + UInt64(Self.mostReports) / 2 > report.number }
        }
        fabric.send(
            Packet(
                endpoint: endpoint ^ 1, generation: Self.kindOfReport,
                sequence: report.number, stamp: fabric.kernel.now.nanoseconds,
                acknowledgement: 0, echo: 0, window: 0,
                payload: UInt16(report.size) - Packet.Form.datagram.size, form: .datagram,
                flags: []),
            on: receiverLink)
    }

    /// Takes the report that a packet brings; `nil` if it has come before.
    mutating func takeReport(_ packet: borrowing Packet) -> PacedReport? {
        reports.removeValue(forKey: packet.sequence)
    }
}

extension Packet {
    /// Makes a packet of the paced transport with content from `offset` on.
    @inline(__always)
    fileprivate init(_ packet: PacedPacket, offset: UInt64, to endpoint: Int32) {
        self.init(
            endpoint: endpoint, generation: packet.kind.rawValue, sequence: offset,
            stamp: packet.sentAt.nanoseconds, acknowledgement: packet.number, echo: packet.floor,
            window: UInt16(packet.reportEvery.nanoseconds / 10_000),
            payload: UInt16(packet.size) - Packet.Form.datagram.size, form: .datagram, flags: [])
    }
}

extension PacedPacket {
    @inline(__always)
    init(_ packet: borrowing Packet) {
        self.init(
            Kind(rawValue: packet.generation) ?? .data, number: packet.acknowledgement,
            floor: packet.echo, sentAt: Instant(nanoseconds: packet.stamp),
            reportEvery: TimeSpan(nanoseconds: Int64(packet.window) * 10_000),
            size: Int(packet.size))
    }
}
