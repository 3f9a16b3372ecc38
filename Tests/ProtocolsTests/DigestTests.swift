import Protocols
import Testing

/// FIPS 180-4 examples, and RFC 4231.
@Suite struct DigestTests {
    static let examples: [(text: String, sha1: String, sha256: String)] = [
        (
            "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (
            "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test(arguments: examples, [1, 7, 64, 1000]) func `digests are what they should be`(
        example: (text: String, sha1: String, sha256: String), step: Int
    ) {
        var (first, second) = (SHA1(), SHA256())
        let bytes = Array(example.text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            let part = Array(bytes[start..<min(start + step, bytes.count)])
            first.update(part)
            second.update(part)
        }
        #expect(hexadecimal(first.finish()) == example.sha1)
        #expect(hexadecimal(second.finish()) == example.sha256)
    }

    @Test func `a million letters have the digest of the standard`() {
        var digest = SHA1()
        for _ in 0..<1_000 { digest.update([UInt8](repeating: UInt8(ascii: "a"), count: 1_000)) }
        #expect(hexadecimal(digest.finish()) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }

    @Test func `a signature is an HMAC`() {
        #expect(
            SHA256.signature(of: "what do ya want for nothing?", by: Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
