import Testing

@testable import Protocols

@Suite struct ReprDigestTests {
    @Test func `a digest is read as it was written`() {
        var hash = Digest(.sha256)
        hash.update(Array("abc".utf8))
        for digest in [ReprDigest.sha256(hash.finish()), .ranges(1 << 63 | 7)] {
            let head = HTTPResponseHead(200, fields: HTTPFields([digest.field]))
            #expect(ReprDigest(of: head) == digest)
        }
    }

    /// FIPS 180-4's own example, in the form of RFC 9530.
    @Test func `the first eight bytes stand for a digest, in the order in which they are sent`() {
        let field = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
        #expect(Self.read(field)?.mark == 0xba78_16bf_8f01_cfea)
    }

    @Test(arguments: [
        ("md5=:AAAA:, sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:", true),
        ("sha-512=:AAAA:", false), ("sha-256=:AAAA:", false), ("sha-256=ungW", false),
        ("sha-256=::", false), ("", false),
    ])
    func `what is not understood is passed over`(field: String, isUnderstood: Bool) {
        #expect((Self.read(field) != nil) == isUnderstood)
    }

    @Test(arguments: [
        ("sha-256=10", true), ("md5=1, sha-256=3", true), ("sha-256=0", false), ("md5=1", false),
    ])
    func `who asks for another digest, or for none, does not want this one`(
        field: String, wants: Bool
    ) {
        let head = HTTPRequestHead(
            "HEAD", "/dav/a", fields: HTTPFields([("Want-Repr-Digest", field)]))
        #expect(ReprDigest.isWanted(by: head) == wants)
    }

    private static func read(_ field: String) -> ReprDigest? {
        ReprDigest(of: HTTPResponseHead(200, fields: HTTPFields([("Repr-Digest", field)])))
    }
}
