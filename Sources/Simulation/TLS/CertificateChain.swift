/// Certificates of a server: X.509 (RFC 5280) in form and typical in size, without real keys.
///
/// The chain is a leaf and one intermediate with 2048-bit RSA keys. Of a million web servers, a
/// third have chains that do not fit into 3600 bytes with the rest of the first flight (Nawrocki et
/// al., CoNEXT 2022); RSA chains take 3 to 5 kB.
enum CertificateChain {
    static let leafSize = 1_700
    static let intermediateSize = 1_300
    static let signatureSize = 256

    /// Certificates in order of sending: the server's own first.
    static let certificates = [
        certificate("docroot.example", by: "TransferLab Intermediate", size: leafSize),
        certificate("TransferLab Intermediate", by: "TransferLab Root", size: intermediateSize),
    ]

    /// Makes a certificate of exactly `size` bytes. A long comment stands for the names, policies
    /// and timestamps of a real one.
    private static func certificate(_ subject: String, by issuer: String, size: Int) -> [UInt8] {
        // Long enough that a longer comment does not lengthen the length fields around it.
        let comment = 300
        let draft = certificate(subject, by: issuer, comment: comment)
        precondition(size >= draft.count, "\(draft.count) B do not fit into \(size) B")
        return certificate(subject, by: issuer, comment: comment + size - draft.count)
    }

    private static func certificate(
        _ subject: String, by issuer: String, comment: Int
    ) -> [UInt8] {
        let algorithm = sequence(identifier(sha256WithRSA) + element(0x05, []))
        let key = sequence(
            sequence(identifier(rsaEncryption) + element(0x05, []))
                + element(0x03, [0] + sequence(modulus + element(0x02, [1, 0, 1]))))
        let words = [UInt8](repeating: UInt8(ascii: "."), count: comment)
        let extensions = sequence(
            sequence(identifier(commentExtension) + element(0x04, element(0x16, words))))
        let content = sequence(
            element(0xa0, element(0x02, [2])) + element(0x02, [1]) + algorithm + name(issuer)
                + sequence(date("250101000000Z") + date("350101000000Z")) + name(subject) + key
                + element(0xa3, extensions))
        return sequence(content + algorithm + element(0x03, [0] + opaque(signatureSize)))
    }

    private static let sha256WithRSA: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b]
    private static let rsaEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]
    /// 2.16.840.1.113730.1.13, a comment for human readers.
    private static let commentExtension: [UInt8] = [0x60, 0x86, 0x48, 1, 0x86, 0xf8, 0x42, 1, 0x0d]
    private static let commonName: [UInt8] = [0x55, 4, 3]

    /// A positive number of 2048 bits.
    private static let modulus: [UInt8] = {
        var bytes = opaque(signatureSize)
        bytes[0] |= 0x80
        return element(0x02, [0] + bytes)
    }()

    // MARK: DER (X.690 §8)

    private static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

    private static func identifier(_ content: [UInt8]) -> [UInt8] { element(0x06, content) }

    private static func date(_ words: String) -> [UInt8] { element(0x17, Array(words.utf8)) }

    private static func name(_ words: String) -> [UInt8] {
        let value = sequence(identifier(commonName) + element(0x0c, Array(words.utf8)))
        return sequence(element(0x31, value))
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<128: [UInt8(count)]
            case ..<256: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
            }
        return [tag] + length + content
    }

    private static func opaque(_ count: Int) -> [UInt8] {
        var writer = WireWriter()
        writer.putOpaque(count)
        return writer.bytes
    }
}
