import Protocols
import Quantities
import Testing

@Suite struct ResumableUploadCallTests {
    @Test(arguments: [ResumableUploadVersion.three, .five, .six])
    func `a server reads what a client writes`(version: ResumableUploadVersion) throws {
        let last = ResumableUploadRequest.Chunk(
            length: ByteCount(600), isLast: true, total: ByteCount(1000))
        for (request, target, method) in [
            (.offset, "/uploads/1", "HEAD"), (.cancel, "/uploads/1", "DELETE"),
            (.append(last, at: ByteCount(400)), "/uploads/1", "PATCH"),
        ] as [(ResumableUploadRequest, String, String)] {
            let call = ResumableUploadCall(request, to: target, in: version)
            let head = call.head(host: "there")
            #expect(head.method == method && head.target == target)
            #expect(head.fields["Host"] == "there")
            #expect(ResumableUploadVersion(of: head) == version)
            #expect(
                try ResumableUploadRequest(parsing: head, in: version, isResource: true)
                    == request)
        }
    }

    @Test func `an upload is begun with none of its bytes, and its length where that is known`()
        throws
    {
        for version in [ResumableUploadVersion.three, .five, .six] {
            let call = ResumableUploadCall.begin("in/ä.mov", total: ByteCount(9), in: version)
            let head = call.head(host: "there")
            #expect(head.method == "POST" && head.target == "/upload/in/%C3%A4.mov")
            let chunk = ResumableUploadRequest.Chunk(
                length: .zero, isLast: false, total: version == .six ? ByteCount(9) : nil)
            #expect(
                try ResumableUploadRequest(parsing: head, in: version, isResource: false)
                    == .create(chunk))
        }
    }
}
