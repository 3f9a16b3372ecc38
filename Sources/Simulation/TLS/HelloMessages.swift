import RunPlan

/// The two cleartext messages of every handshake (RFC 8446 §4.1, RFC 5246 §7.4.1), with the
/// extensions of today's phones and servers.
enum HelloMessages {
    /// Size to which clients pad their hello, because some peers hang on 256 to 511 bytes (RFC 7685
    /// §4).
    static let clientSize = 512
    /// Size of a common ticket: key name, initialization vector, encrypted session and
    /// authentication code.
    static let ticketSize = 192

    private static let legacyVersion = 0x0303
    private static let keySize = 32
    private static let x25519 = 0x001d
    private static let serverName = "docroot.example"

    // MARK: The client's

    static func client(_ security: TransportSecurity) -> [UInt8] {
        let bare = clientHello(security, padding: 0)
        return clientHello(security, padding: clientSize - bare.count)
    }

    private static func clientHello(_ security: TransportSecurity, padding: Int) -> [UInt8] {
        message(1) { hello in
            hello.put16(legacyVersion)
            hello.putOpaque(32)
            // The session identifier makes TLS 1.3 look like TLS 1.2 (RFC 8446 §D.4). In TLS 1.2,
            // the server's echo tells that it took a ticket (RFC 5077 §3.4).
            hello.putVector(lengthBytes: 1) { if security != .tls12 { $0.putOpaque(32) } }
            hello.putVector(lengthBytes: 2) { suites in
                for suite in cipherSuites(security) { suites.put16(suite) }
            }
            hello.put([1, 0])
            hello.putVector(lengthBytes: 2) {
                putExtensions(security, padding: padding, into: &$0)
            }
        }
    }

    private static func cipherSuites(_ security: TransportSecurity) -> [Int] {
        let old = [0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8]
        return security.isTLS13 ? [0x1301, 0x1302, 0x1303] + old : old
    }

    private static func putExtensions(
        _ security: TransportSecurity, padding: Int, into list: inout WireWriter
    ) {
        put(0, into: &list) { names in
            names.putVector(lengthBytes: 2) { entry in
                entry.put8(0)
                entry.putVector(lengthBytes: 2) { $0.put(Array(serverName.utf8)) }
            }
        }
        put(23, into: &list) { _ in }
        put(0xff01, into: &list) { $0.put8(0) }
        put(10, into: &list) { groups in
            groups.putVector(lengthBytes: 2) {
                for group in [0x1d, 0x17, 0x18] { $0.put16(group) }
            }
        }
        put(11, into: &list) { $0.put([1, 0]) }
        // A ticket's content is opaque; an empty ticket asks for one.
        if !security.isTLS13 {
            put(35, into: &list) { if security.isResumed { $0.putOpaque(ticketSize) } }
        }
        put(16, into: &list) { $0.put(protocolHTTP) }
        put(13, into: &list) { algorithms in
            algorithms.putVector(lengthBytes: 2) {
                for one in [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601] {
                    $0.put16(one)
                }
            }
        }
        if security.isTLS13 { putShares(into: &list) }
        // The header of the padding is present in any case.
        put(21, into: &list) { $0.put([UInt8](repeating: 0, count: padding)) }
        // The session must come last (RFC 8446 §4.2.11).
        if security == .tls13Resumed { putSession(into: &list) }
    }

    private static func putShares(into list: inout WireWriter) {
        put(51, into: &list) { shares in
            shares.putVector(lengthBytes: 2) { putShare(into: &$0) }
        }
        put(45, into: &list) { $0.put([1, 1]) }
        put(43, into: &list) { versions in
            versions.putVector(lengthBytes: 1) {
                for version in [0x0304, 0x0303] { $0.put16(version) }
            }
        }
    }

    private static func putShare(into share: inout WireWriter) {
        share.put16(x25519)
        share.putVector(lengthBytes: 2) { $0.putOpaque(keySize) }
    }

    private static func putSession(into list: inout WireWriter) {
        put(41, into: &list) { offer in
            offer.putVector(lengthBytes: 2) { identities in
                identities.putVector(lengthBytes: 2) { $0.putOpaque(ticketSize) }
                identities.put32(0x1234_5678)
            }
            offer.putVector(lengthBytes: 2) { binders in
                binders.putVector(lengthBytes: 1) { $0.putOpaque(32) }
            }
        }
    }

    // MARK: The server's

    static func server(_ security: TransportSecurity) -> [UInt8] {
        message(2) { hello in
            hello.put16(legacyVersion)
            hello.putOpaque(32)
            hello.putVector(lengthBytes: 1) { if security != .tls12 { $0.putOpaque(32) } }
            hello.put16(security.isTLS13 ? 0x1301 : 0xc02f)
            hello.put8(0)
            hello.putVector(lengthBytes: 2) { list in
                guard security.isTLS13 else { return putAgreement(security, into: &list) }
                put(43, into: &list) { $0.put16(0x0304) }
                put(51, into: &list) { putShare(into: &$0) }
                if security.isResumed { put(41, into: &list) { $0.put16(0) } }
            }
        }
    }

    private static func putAgreement(
        _ security: TransportSecurity, into list: inout WireWriter
    ) {
        put(23, into: &list) { _ in }
        put(0xff01, into: &list) { $0.put8(0) }
        if !security.isResumed {
            put(11, into: &list) { $0.put([1, 0]) }
            // An empty extension says that a ticket will follow.
            put(35, into: &list) { _ in }
        }
        put(16, into: &list) { $0.put(protocolHTTP) }
    }

    // MARK: Forms

    static func message(_ type: Int, _ fill: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        writer.put8(type)
        writer.putVector(lengthBytes: 3, fill)
        return writer.bytes
    }

    private static func put(
        _ type: Int, into list: inout WireWriter, _ fill: (inout WireWriter) -> Void
    ) {
        list.put16(type)
        list.putVector(lengthBytes: 2, fill)
    }

    /// The application protocol (RFC 7301).
    private static let protocolHTTP: [UInt8] = {
        var writer = WireWriter()
        writer.putVector(lengthBytes: 2) { list in
            list.putVector(lengthBytes: 1) { $0.put(Array("http/1.1".utf8)) }
        }
        return writer.bytes
    }()
}
