import RunPlan

/// Flights of a handshake, the client's first: complete records, as on the wire.
///
///     TLS 1.3 (RFC 8446 §2)           TLS 1.2 (RFC 5246 §7.3)         TLS 1.2, resumed
///     C  ClientHello                  C  ClientHello                  C  ClientHello
///     S  ServerHello … Finished       S  ServerHello … HelloDone      S  ServerHello, Finished
///     C  Finished                     C  KeyExchange, Finished        C  Finished
///     S  Tickets (nobody waits)       S  Ticket, Finished
///
/// A resumed TLS 1.3 handshake has the flights of a full one, but no certificate and signature.
struct TLSFlights: Sendable {
    let bytes: [[UInt8]]
    /// Number of flights that precede all content.
    let awaited: Int

    init(_ security: TransportSecurity) {
        switch security {
        case .none: bytes = []
        case .tls12: bytes = Self.full12()
        case .tls12Resumed:
            bytes = [
                Self.clear(HelloMessages.client(security)),
                Self.clear(HelloMessages.server(security)) + Self.finished12, Self.finished12,
            ]
        case .tls13, .tls13Resumed:
            bytes = [
                Self.clear(HelloMessages.client(security)), Self.answer13(security),
                Self.change + Self.sealed13(Self.finishedSize), Self.tickets13(security),
            ]
        }
        awaited = security.isTLS13 ? 3 : bytes.count
    }

    // MARK: TLS 1.2

    private static func full12() -> [[UInt8]] {
        let certificate = HelloMessages.message(11) { message in
            message.putVector(lengthBytes: 3) { chain in
                for certificate in CertificateChain.certificates {
                    chain.putVector(lengthBytes: 3) { $0.put(certificate) }
                }
            }
        }
        // An x25519 key, signed with RSA-PSS (RFC 8422 §5.4).
        let serverKey = HelloMessages.message(12) { message in
            message.put([3, 0, 0x1d])
            message.putVector(lengthBytes: 1) { $0.putOpaque(32) }
            message.put16(0x0804)
            message.putVector(lengthBytes: 2) { $0.putOpaque(CertificateChain.signatureSize) }
        }
        let clientKey = HelloMessages.message(16) { message in
            message.putVector(lengthBytes: 1) { $0.putOpaque(32) }
        }
        let ticket = HelloMessages.message(4) { message in
            message.put32(7_200)
            message.putVector(lengthBytes: 2) { $0.putOpaque(HelloMessages.ticketSize) }
        }
        return [
            clear(HelloMessages.client(.tls12)),
            clear(HelloMessages.server(.tls12)) + clear(certificate) + clear(serverKey)
                + clear(HelloMessages.message(14) { _ in }),
            clear(clientKey) + finished12, clear(ticket) + finished12,
        ]
    }

    /// ChangeCipherSpec and Finished: an encrypted message of 16 bytes, with an explicit nonce of 8
    /// bytes and an authentication tag of 16 (RFC 5288 §3).
    private static let finished12 = change + record(22) { $0.putOpaque(8 + 16 + 16) }

    // MARK: TLS 1.3

    /// Size of a SHA-256 hash after a message header.
    private static let finishedSize = 4 + 32

    private static func answer13(_ security: TransportSecurity) -> [UInt8] {
        // The application protocol is the only encrypted extension.
        let extensions = 4 + 2 + 4 + 2 + 1 + 8
        let chain = CertificateChain.certificates.reduce(0) { $0 + 3 + $1.count + 2 }
        let proof = sealed13(4 + 1 + 3 + chain) + sealed13(4 + 4 + CertificateChain.signatureSize)
        return clear(HelloMessages.server(security)) + change + sealed13(extensions)
            + (security.isResumed ? [] : proof) + sealed13(finishedSize)
    }

    /// Tickets for later connections (RFC 8446 §4.6.1): like OpenSSL, two after a full handshake
    /// and one after a resumed one, each in its own record.
    private static func tickets13(_ security: TransportSecurity) -> [UInt8] {
        // Message header, lifetime, age offset, nonce, ticket and no extensions, with their
        // lengths.
        let ticket = sealed13(4 + 4 + 4 + 1 + 8 + 2 + HelloMessages.ticketSize + 2)
        return security.isResumed ? ticket : ticket + ticket
    }

    /// Returns the record of an encrypted message. It looks like application data; a byte for the
    /// true type and an authentication tag of 16 bytes follow the message (RFC 8446 §5.2).
    private static func sealed13(_ size: Int) -> [UInt8] {
        record(23) { message in
            message.putOpaque(size)
            message.put8(22)
            message.putOpaque(16)
        }
    }

    // MARK: Records

    private static func clear(_ message: [UInt8]) -> [UInt8] { record(22) { $0.put(message) } }

    /// ChangeCipherSpec: meaningless in TLS 1.3, but middleboxes expect it (RFC 8446 §D.4).
    private static let change = record(20) { $0.put8(1) }

    private static func record(_ type: Int, _ fill: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        writer.put8(type)
        writer.put16(0x0303)
        writer.putVector(lengthBytes: 2, fill)
        return writer.bytes
    }
}
