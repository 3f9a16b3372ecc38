import COpenSSL
package import Protocols

/// Seals the datagrams that one end of a session sends, and opens those that it receives, with
/// AES-128-GCM.
///
/// A datagram is a head that everybody can read, a body and a tag. A nonce is a number that is
/// never used twice with a key: that of the packet, or that of the report.
package final class PacedSeal {
    private let sealing: OpaquePointer
    private let opening: OpaquePointer
    private let session: UInt64

    package init(_ keys: PacedKeys, session: UInt64, at side: PacedSide) {
        guard let sealing = EVP_CIPHER_CTX_new(), let opening = EVP_CIPHER_CTX_new() else {
            preconditionFailure("no memory for a cipher")
        }
        (self.sealing, self.opening, self.session) = (sealing, opening, session)
        let (own, other) =
            side == .client ? (keys.ofClient, keys.ofServer) : (keys.ofServer, keys.ofClient)
        let areReady =
            EVP_EncryptInit_ex(sealing, EVP_aes_128_gcm(), nil, own, nil) == 1
            && EVP_DecryptInit_ex(opening, EVP_aes_128_gcm(), nil, other, nil) == 1
        precondition(areReady, "OpenSSL has no AES-128-GCM")
    }

    deinit {
        EVP_CIPHER_CTX_free(sealing)
        EVP_CIPHER_CTX_free(opening)
    }

    /// Writes the head, encrypts the body behind it, and writes the tag at the end.
    package func seal(
        _ kind: PacedHead.Kind, number: UInt64, _ datagram: UnsafeMutableRawBufferPointer
    ) {
        PacedHead(kind, session: session, number: number).write(to: datagram)
        let (head, body, tag) = Self.parts(of: datagram)
        var length: Int32 = 0
        let isSealed =
            Self.withNonce(kind, number) { EVP_EncryptInit_ex(sealing, nil, nil, nil, $0) } == 1
            && EVP_EncryptUpdate(sealing, nil, &length, head.start, head.count) == 1
            && EVP_EncryptUpdate(sealing, body.start, &length, body.start, body.count) == 1
            && EVP_EncryptFinal_ex(sealing, tag.start, &length) == 1
            && EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_AEAD_GET_TAG, tag.count, tag.start) == 1
        precondition(isSealed, "OpenSSL cannot encrypt")
    }

    /// Decrypts the body of a datagram with this head; returns it, or `nil` if the datagram is not
    /// one that the peer has sealed.
    package func open(
        _ head: PacedHead, _ datagram: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard head.session == session,
            datagram.count >= PacedFormat.openHeader + PacedFormat.tag
        else { return nil }
        let (known, body, tag) = Self.parts(of: datagram)
        var length: Int32 = 0
        var rest: UInt8 = 0
        let isGenuine =
            Self.withNonce(head.kind, head.number) {
                EVP_DecryptInit_ex(opening, nil, nil, nil, $0)
            } == 1
            && EVP_DecryptUpdate(opening, nil, &length, known.start, known.count) == 1
            && EVP_DecryptUpdate(opening, body.start, &length, body.start, body.count) == 1
            && EVP_CIPHER_CTX_ctrl(opening, EVP_CTRL_AEAD_SET_TAG, tag.count, tag.start) == 1
            && EVP_DecryptFinal_ex(opening, &rest, &length) == 1
        guard isGenuine else { return nil }
        return UnsafeRawBufferPointer(start: body.start, count: Int(body.count))
    }

    private typealias Part = (start: UnsafeMutablePointer<UInt8>, count: Int32)

    private static func parts(
        of datagram: UnsafeMutableRawBufferPointer
    ) -> (head: Part, body: Part, tag: Part) {
        let (head, tag) = (PacedFormat.openHeader, PacedFormat.tag)
        guard datagram.count >= head + tag, let start = datagram.baseAddress else {
            preconditionFailure("\(datagram.count) B are no datagram")
        }
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        let body = datagram.count - head - tag
        return (
            (bytes, Int32(head)), (bytes + head, Int32(body)), (bytes + head + body, Int32(tag))
        )
    }

    private static func withNonce(
        _ kind: PacedHead.Kind, _ number: UInt64, _ body: (UnsafePointer<UInt8>) -> Int32
    ) -> Int32 {
        let high = UInt32(truncatingIfNeeded: number >> 32)
        let low = UInt32(truncatingIfNeeded: number)
        let first: UInt32 = kind == .report ? 1 : 0
        let nonce = (first.bigEndian, high.bigEndian, low.bigEndian)
        return withUnsafeBytes(of: nonce) { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            return body(start.assumingMemoryBound(to: UInt8.self))
        }
    }
}
