import Protocols
import Testing

/// RFC 9110 §13: conditions on the state of a resource.
@Suite struct PreconditionsTests {
    static let tag = EntityTag("v2")
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    static let modified: UInt64 = 784_111_777

    static let cases: [(field: String, value: String, read: Outcome, missing: Outcome)] = [
        ("If-Match", "\"v2\"", .goOn, .failed), ("If-Match", "\"v1\"", .failed, .failed),
        ("If-Match", "\"v1\", \"v2\"", .goOn, .failed),
        ("If-Match", "\"v1\"\t, \"v2\"", .goOn, .failed),
        ("If-Match", "W/\"v2\"", .failed, .failed),
        ("If-Match", "*", .goOn, .failed), ("If-None-Match", "*", .notModified, .goOn),
        ("If-None-Match", "\"v2\"", .notModified, .goOn),
        ("If-None-Match", "W/\"v2\"", .notModified, .goOn),
        ("If-None-Match", "\"v1\"", .goOn, .goOn),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", .notModified, .goOn),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:36 GMT", .goOn, .goOn),
        ("If-Modified-Since", "yesterday", .goOn, .goOn),
        ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT", .failed, .goOn),
        ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", .goOn, .goOn),
    ]

    typealias Outcome = Preconditions.Outcome

    @Test(arguments: cases) func `a condition holds or fails`(
        field: String, value: String, read: Outcome, missing: Outcome
    ) throws {
        let conditions = try Self.conditions([(field, value)])
        let seen = conditions.judge(Self.tag, modified: Self.modified, isRead: true)
        #expect(seen == read)
        #expect(conditions.judge(nil, modified: 0, isRead: true) == missing)
    }

    @Test func `a writer is never told that nothing has changed`() throws {
        let conditions = try Self.conditions([("If-None-Match", "*")])
        #expect(conditions.judge(Self.tag, modified: 0, isRead: false) == .failed)
    }

    @Test(arguments: ["v2", "\"v2", "\"v1\"\"v2\"", ","])
    func `a list that is none is refused`(value: String) {
        #expect(throws: HTTPError.self) { try Self.conditions([("If-Match", value)]) }
    }

    @Test(arguments: [
        ("\"v2\"", true), ("\"v1\"", false), ("W/\"v2\"", false),
        ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
    ])
    func `a range goes on only with the version it began with`(field: String, isSame: Bool)
        throws
    {
        let conditions = try Self.conditions([("If-Range", field)])
        #expect(conditions.allowsRange(Self.tag, modified: Self.modified) == isSame)
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        ] as [(UInt64, String)])
    func `dates are written and read back`(seconds: UInt64, text: String) {
        #expect(HTTPDate.text(seconds) == text)
        #expect(HTTPDate.seconds(text) == seconds)
    }

    private static func conditions(_ fields: [(String, String)]) throws -> Preconditions {
        try Preconditions(of: HTTPRequestHead("GET", "/", fields: HTTPFields(fields)))
    }
}
