import Protocols
import Testing

@Suite struct RequestTargetTests {
    @Test(arguments: [
        ("/dav/a%20b", "/dav/a b", "dav", "a b"), ("/tus", "/tus", "tus", ""),
        ("http://host:80/dav/x?q=/y", "/dav/x", "dav", "x"), ("http://host", "/", "", ""),
        ("/a//b/", "/a//b/", "a", "/b/"), ("/\u{301}x/y", "/\u{301}x/y", "\u{301}x", "y"),
        ("*", "*", "", ""),
    ])
    func `a target is taken apart`(text: String, path: String, first: String, rest: String)
        throws
    {
        let target = try RequestTarget(text)
        #expect(target.path == path)
        #expect(target.first == first)
        #expect(target.behindFirst == rest)
    }

    @Test(arguments: [
        ("dav/x", 400), ("/a%2", 400), ("/a%zz", 400), ("/a%ff", 400), ("/a%c0%ae", 400),
        ("/a%2Fb", 403), ("/a%2fb", 403), ("/a#b", 400), ("", 400),
    ])
    func `a target that hides something is refused`(text: String, status: Int) {
        do {
            _ = try RequestTarget(text)
            Issue.record("“\(text)” was taken")
        } catch {
            #expect(error.status == status)
        }
    }

    @Test(arguments: ["a b/ü", "x?y#z", "%41", "plain-._~/1"])
    func `an encoded path is decoded to itself`(path: String) throws {
        #expect(try PercentCoding.decode(PercentCoding.encode(path)) == path)
    }
}
