import Protocols
import Quantities
import Testing
import TransferEngine

/// Uploads of background tasks that can be gone on with (behaviour B, on the wire).
@Suite struct ResumableTaskTests {
    private static let place = "/uploads/7"

    @Test func `an upload is begun empty, and sent when it is durable where it is (S8)`() throws {
        var hand = DaemonByHand(resuming: .six)
        hand.upload(isResumable: true)
        hand.connect()
        #expect(hand.asked.map(\.method) == ["POST"])
        #expect(hand.asked[0].target == "/upload/a.mov")
        #expect(hand.asked[0].fields["Upload-Complete"] == "?0")
        #expect(hand.asked[0].fields["Content-Length"] == "0")
        hand.begin(at: Self.place)
        #expect(hand.asked.map(\.method) == ["POST", "PATCH"])
        let append = try #require(hand.asked.last)
        #expect(append.target == Self.place && append.fields["Upload-Complete"] == "?1")
        let kept = try #require(hand.kept[TaskID(app: 0, number: 1)])
        #expect(kept.isResumable && kept.transfer.resource == Self.place)
        hand.answer(200)
        #expect(hand.news.last?.end == .answered(status: 200))
    }

    @Test func `where the store cannot keep where it is, nothing is sent`() {
        var hand = DaemonByHand(resuming: .six)
        hand.upload(isResumable: true)
        hand.connect()
        hand.stores = false
        hand.begin(at: Self.place)
        #expect(hand.asked.map(\.method) == ["POST"])
        #expect(hand.news.last == nil)
        hand.stores = true
        hand.wait(.seconds(10))
        #expect(hand.news.last?.end == .failed(.cannotWriteToFile))
    }

    @Test func `what a server says on the way to its answer is no answer`() {
        var hand = DaemonByHand(resuming: .three)
        hand.upload(isResumable: true)
        hand.connect()
        hand.answer(104, [("Location", Self.place)], "")
        #expect(hand.asked.count == 1)
        hand.begin(at: Self.place)
        hand.answer(104, [], "")
        #expect(hand.state(of: 1) == .running)
        hand.answer(201)
        #expect(hand.news.last?.end == .answered(status: 201))
    }

    @Test(arguments: [ResumableUploadVersion.three, .five, .six])
    func `after an interruption it goes on where the server is (B5)`(
        version: ResumableUploadVersion
    ) {
        var hand = DaemonByHand(resuming: version)
        hand.interrupted(at: Self.place)
        #expect(hand.asked.last?.method == "HEAD" && hand.asked.last?.target == Self.place)
        hand.answerOffset(400, isComplete: false, version)
        #expect(hand.asked.last?.method == "PATCH")
        #expect(hand.asked.last?.fields["Upload-Offset"] == "400")
        #expect(hand.asked.last?.fields["Content-Length"] == "600")
    }

    @Test func `of one that is complete only the answer was lost (S8)`() {
        var hand = DaemonByHand(resuming: .six)
        hand.interrupted(at: Self.place)
        hand.answerOffset(1000, isComplete: true, .six)
        #expect(hand.asked.count { $0.method == "PATCH" } == 1)
        #expect(hand.news.last?.end == .answered(status: 204))
    }

    @Test(arguments: [404, 410])
    func `one that the server knows no more is begun anew`(status: Int) {
        var hand = DaemonByHand(resuming: .six)
        hand.interrupted(at: Self.place)
        hand.answer(status)
        // If the server is wrong, nothing may come of the upload any more (S8).
        #expect(hand.asked.last?.method == "DELETE")
        hand.answer(status)
        #expect(hand.asked.last?.method == "POST")
        hand.begin(at: "/uploads/8")
        #expect(hand.asked.last?.target == "/uploads/8")
        #expect(hand.asked.last?.fields["Upload-Offset"] == "0")
    }

    @Test func `a source that has changed is not joined, and the server need not keep it (S2, L5)`()
    {
        var hand = DaemonByHand(resuming: .six)
        hand.sourceModified = 0
        hand.interrupted(at: Self.place, editing: 5)
        hand.answerOffset(400, isComplete: false, .six)
        #expect(hand.asked.last?.method == "DELETE" && hand.asked.last?.target == Self.place)
        hand.answer(204)
        #expect(hand.news.last?.end == .failed(.noPermissionsToReadFile))
    }

    @Test func `an answer to the upload itself is no error, whatever its status (B8)`() {
        for status in [403, 413, 503] {
            var hand = DaemonByHand(resuming: .six)
            hand.upload(isResumable: true)
            hand.connect()
            hand.begin(at: Self.place)
            hand.answer(status)
            #expect(hand.news.last?.end == .answered(status: status))
        }
    }

    @Test func `an append that the server does not expect there is asked for again`() {
        var hand = DaemonByHand(resuming: .six)
        hand.upload(isResumable: true)
        hand.connect()
        hand.begin(at: Self.place)
        hand.answer(409)
        #expect(hand.state(of: 1) == .running)
        hand.wait(.seconds(2))
        hand.connect()
        #expect(hand.asked.last?.method == "HEAD")
    }

    @Test(arguments: [503, 423, 400])
    func `an offset that is not told is tried again, or is a bad answer`(status: Int) {
        var hand = DaemonByHand(resuming: .six)
        hand.interrupted(at: Self.place)
        hand.answer(status)
        #expect((hand.state(of: 1) == .running) == (status != 400))
    }

    @Test(arguments: [
        [], [("Upload-Offset", "400")], [("Upload-Offset", "-1"), ("Upload-Complete", "?0")],
        [("Upload-Offset", "1001"), ("Upload-Complete", "?0")],
    ])
    func `an offset that makes no sense is a bad answer`(fields: [(String, String)]) {
        var hand = DaemonByHand(resuming: .six)
        hand.interrupted(at: Self.place)
        hand.answer(204, fields, "")
        #expect(hand.news.last?.end == .failed(.badServerResponse))
    }

    @Test func `a system that knows none sends all of it at once`() {
        var hand = DaemonByHand()
        hand.upload(isResumable: true)
        hand.connect()
        #expect(hand.asked.map(\.method) == ["PUT"])
        #expect(hand.asked[0].fields["Idempotency-Key"]?.isEmpty == false)
    }
}

extension DaemonByHand {
    init(resuming version: ResumableUploadVersion) {
        self.init(
            daemon: TransferDaemon(of: "phone", connectionsBefore: 0, resumes: version))
    }

    fileprivate mutating func begin(at place: String) {
        answer(201, [("Location", place), ("Content-Length", "0")], "")
    }

    /// It was begun and sent, the connection broke, and another one stands.
    fileprivate mutating func interrupted(at place: String, editing modified: UInt64? = nil) {
        upload(isResumable: true)
        connect()
        begin(at: place)
        if let modified { sourceModified = modified }
        if let connection { tell(.attempt(.disconnected(connection, .reset))) }
        wait(.seconds(2))
        connect()
    }

    fileprivate mutating func answerOffset(
        _ offset: UInt64, isComplete: Bool, _ version: ResumableUploadVersion
    ) {
        answer(204, [("Upload-Offset", "\(offset)"), version.completeness(isComplete)], "")
    }
}
