import LinkModels
import Quantities
import RunLog

/// Questions for names and their answers as packets (RFC 1035 §4): datagrams that pass the links
/// like all others.
///
/// They have one flow number, between those of cross traffic's streams, which count up from half,
/// and of its flows, which count down from the highest. A packet tells its transaction, its family
/// and, by its place among all answers, what it answers.
enum NamePackets {
    static let flow: UInt16 = 0xc000
    /// An endpoint far below those of cross traffic's flows, which ends with the flow's number.
    static let endpoint = Int32.min + 2 * Int32(flow)
    static let host = "docroot"
    /// The port of resolvers.
    static let port: UInt16 = 53

    /// The server's addresses, from the documentation blocks of RFC 5737 and RFC 3849.
    private static let addresses: [AddressFamily: [UInt8]] = [
        .ipv4: [198, 51, 100, 1],
        .ipv6: [0x20, 0x01, 0x0d, 0xb8] + Array(repeating: 0, count: 11) + [1],
    ]

    /// What a packet asks or answers.
    struct Message: Hashable {
        var family: AddressFamily
        var transaction: UInt32
        /// `nil` for a question.
        var answer: NameAnswer?

        init(_ family: AddressFamily, _ transaction: UInt32, _ answer: NameAnswer? = nil) {
            self.family = family
            self.transaction = transaction
            self.answer = answer
        }

        init(_ packet: borrowing Packet) {
            family = packet.sequence & 1 == 0 ? .ipv6 : .ipv4
            transaction = UInt32(truncatingIfNeeded: packet.sequence >> 1)
            let place = Int(packet.acknowledgement)
            answer = place == 0 ? nil : NameAnswer.allCases[place - 1]
        }

        func packet(at now: UInt64) -> Packet {
            let place = answer.flatMap { NameAnswer.allCases.firstIndex(of: $0) }.map { $0 + 1 }
            return Packet(
                endpoint: NamePackets.endpoint,
                sequence: UInt64(transaction) << 1 | (family == .ipv6 ? 0 : 1), stamp: now,
                acknowledgement: UInt64(place ?? 0), echo: 0, window: 0,
                payload: UInt16(bytes(keep: .zero).count), form: .datagram, flags: [])
        }

        /// The message on the wire; an address may be kept for a time.
        func bytes(keep: TimeSpan) -> [UInt8] {
            let found = answer == .address ? NamePackets.addresses[family] : nil
            let type: UInt16 = family == .ipv6 ? 28 : 1
            // Recursion is desired and, in an answer, available.
            let bits: UInt16 = answer == nil ? 0x0100 : 0x8180 | code
            let counts: [UInt16] = [1, found == nil ? 0 : 1, 0, 0]
            var bytes = ([UInt16(truncatingIfNeeded: transaction), bits] + counts).wire
            let name = Array(NamePackets.host.utf8)
            bytes += [UInt8(name.count)] + name + [0] + [type, 1].wire
            guard let found else { return bytes }
            let seconds = UInt32(clamping: keep.nanoseconds / 1_000_000_000)
            let time = [UInt16(seconds >> 16), UInt16(seconds & 0xffff)]
            // The name is a pointer to the one in the question, at byte 12.
            return bytes + ([0xc00c, type, 1] + time + [UInt16(found.count)]).wire + found
        }

        private var code: UInt16 {
            switch answer {
            case .serverFailure: 2
            case .notFound: 3
            case .address, .noAddress, .silence, nil: 0
            }
        }
    }
}

extension [UInt16] {
    /// The numbers in network byte order.
    fileprivate var wire: [UInt8] { flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } }
}
