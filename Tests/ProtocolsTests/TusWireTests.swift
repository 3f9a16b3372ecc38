import Protocols
import Quantities
import Testing

@Suite struct TusWireTests {
    static let requests: [TusRequest] = [
        .create(collection: "/tus", object: "incoming/vidéo 1.mov", length: ByteCount(80_000_000)),
        .offset(resource: "/tus/7"),
        .append(resource: "/tus/7", at: ByteCount(5), length: ByteCount(10)),
        .create(collection: "/tus", object: "a", length: nil, isExclusive: true),
    ]

    @Test(arguments: requests) func `a request reads as it was written`(request: TusRequest) throws
    {
        let wire = request.head(host: "docroot").bytes
        let head = try HTTPRequestHead(parsing: wire)
        #expect(try TusRequest(parsing: head, collection: "/tus") == request)
    }

    static let answers: [(TusResponse, to: TusRequest)] = [
        (.created(resource: "/tus/7"), requests[0]),
        (.offset(ByteCount(5), length: ByteCount(10)), requests[1]),
        (.appended(ByteCount(15)), requests[2]),
        (.refused(status: 409, reason: "Conflict"), requests[2]),
    ]

    @Test(arguments: answers) func `an answer reads as it was written`(
        answer: TusResponse, request: TusRequest
    ) throws {
        let head = try HTTPResponseHead(parsing: answer.head.bytes)
        #expect(try TusResponse(parsing: head, to: request) == answer)
    }

    static let mistakes: [(fields: [(String, String)], status: Int)] = [
        ([], 412),
        ([("Tus-Resumable", "0.2")], 412),
        ([("Tus-Resumable", "1.0.0")], 415),
        ([("Tus-Resumable", "1.0.0"), ("Content-Type", TusRequest.contentType)], 400),
        (
            [
                ("Tus-Resumable", "1.0.0"), ("Content-Type", TusRequest.contentType),
                ("Upload-Offset", "+5"),
            ], 400
        ),
    ]

    @Test(arguments: mistakes) func `a PATCH that lacks something says what`(
        fields: [(String, String)], status: Int
    ) {
        let head = HTTPRequestHead("PATCH", "/tus/7", fields: HTTPFields(fields))
        do {
            _ = try TusRequest(parsing: head, collection: "/tus")
            Issue.record("it was taken")
        } catch {
            #expect(error.status == status)
        }
    }

    @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
    func `Base64 there and back`(text: String) {
        #expect(Base64.decode(Base64.encode(Array(text.utf8))) == Array(text.utf8))
    }

    @Test func `Base64 as RFC 4648 has it`() {
        #expect(Base64.encode(Array("fooba".utf8)) == "Zm9vYmE=")
        #expect(Base64.decode("Zm9vYmE") == nil)
        #expect(Base64.decode("Zm9v!mE=") == nil)
    }
}
