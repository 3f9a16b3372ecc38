import Content
import Protocols
import Quantities
import Testing
import TransferEngine

/// Tasks with requests of their app's own, and what the app gets of the answers.
@Suite struct OwnRequestTests {
    private func download(_ request: TaskRequest) -> DaemonByHand {
        var hand = DaemonByHand()
        hand.make(1, request, .download)
        hand.connect()
        return hand
    }

    private func file(of hand: DaemonByHand) -> String? {
        hand.downloads.values.first.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a request goes to any address by any method, with the app's fields (B16)`() {
        var request = DaemonByHand().request("/upload/form?to=a%20b")
        request.method = "POST"
        request.fields = HTTPFields([("Accept", "text/plain"), ("X-Trace", "1")])
        var hand = DaemonByHand()
        hand.make(1, request, .upload(from: "a.mov"))
        hand.connect()
        #expect(hand.asked[0].method == "POST" && hand.asked[0].target == "/upload/form?to=a%20b")
        #expect(hand.asked[0].fields["Accept"] == "text/plain")
        #expect(hand.asked[0].fields["X-Trace"] == "1")
        #expect(hand.asked[0].fields["Content-Length"] == "1000")
        #expect(request.object == "form" && request.lastPathComponent == "form")
        #expect(hand.request("/dav/a/b%20c.mov?x=/y").lastPathComponent == "b c.mov")
        #expect(hand.request("a/b%20c.mov").lastPathComponent == "b%20c.mov")
    }

    @Test func `a resumable upload begins with the app's fields`() {
        var hand = DaemonByHand(
            daemon: TransferDaemon(of: "p", connectionsBefore: 0, resumes: .six))
        var request = hand.request("a.mov")
        request.fields = HTTPFields([("X-Trace", "1")])
        hand.make(1, request, .upload(from: "a.mov", isResumable: true))
        hand.connect()
        #expect(hand.asked[0].fields["X-Trace"] == "1")
    }

    @Test func `the body of an answer to an upload is told before the end, with the head`() throws {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        let fields = [("Content-Length", "2"), ("Location", "/a")]
        hand.answer(201, fields, "ok")
        let response = TaskResponse(201, fields: HTTPFields(fields))
        #expect(
            hand.news == [
                .received(1, session: "films", Array("ok".utf8)),
                .finished(1, session: "films", hand.request("a.mov"), .answered(response), nil),
            ])
    }

    @Test func `the body of a refusal is a finished download (B8, B19)`() throws {
        var hand = download(DaemonByHand().request("b.mov"))
        hand.answer(404, [("Content-Length", "9"), ("ETag", "\"e\"")], "not found")
        #expect(file(of: hand) == "not found")
        guard case .downloaded(1, _, _, let response, _)? = hand.news.dropLast().last else {
            Issue.record("there is no file")
            return
        }
        #expect(response.status == 404)
        #expect(hand.news.last?.end == .answered(status: 404))
        #expect(!hand.notes.contains { if case .engine(.completes) = $0 { true } else { false } })
    }

    @Test func `a refusal that breaks off is not joined to anything (S2)`() throws {
        var hand = download(DaemonByHand().request("b.mov"))
        hand.answer(200, [("ETag", "\"v1\""), ("Content-Length", "10")], "01234")
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .reset)))
        hand.wait(.seconds(2))
        hand.connect()
        hand.answer(503, [("Content-Length", "9")], "try")
        #expect(file(of: hand) == "try")
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .reset)))
        hand.wait(.seconds(4))
        hand.connect()
        #expect(hand.asked[2].fields["Range"] == nil)
    }

    @Test(arguments: [("HEAD", 200, "7"), ("GET", 304, "7"), ("DELETE", 204, "0")])
    func `an answer without a body is an empty file`(method: String, status: Int, length: String) {
        var request = DaemonByHand().request("b.mov")
        request.method = method
        var hand = download(request)
        #expect(hand.asked[0].method == method)
        hand.answer(status, [("Content-Length", length)], "")
        #expect(file(of: hand) == "")
        #expect(hand.news.last?.end == .answered(status: status))
    }

    @Test func `an empty file is there before its task is finished (B3)`() {
        var hand = DaemonByHand()
        hand.keeps = false
        hand.download()
        hand.connect()
        hand.answer(404, [("Content-Length", "0")], "")
        #expect(hand.news == [] && hand.synced == [])
        hand.keeps = true
        hand.wait(.seconds(2))
        hand.connect()
        hand.answer(404, [("Content-Length", "0")], "")
        #expect(file(of: hand) == "" && hand.news.last?.end == .answered(status: 404))
    }

    @Test func `a query, which may be a signature, does not stand in the log`() {
        var hand = DaemonByHand()
        hand.make(1, hand.request("/dav/a.mov?signature=s3cret"), .upload(from: "a.mov"))
        hand.connect()
        hand.answer(201)
        #expect(hand.asked[0].target == "/dav/a.mov?signature=s3cret")
        let facts = hand.attempts.compactMap { wanted -> Fact? in
            if case .note(let note) = wanted { note.fact } else { nil }
        }
        #expect(facts.contains { if case .engine(.sends) = $0 { true } else { false } })
        #expect(!(facts + hand.notes).contains { "\($0)".contains("s3cret") })
    }

    @Test func `a part that the app has asked for is the file, and never resumed`() throws {
        var request = DaemonByHand().request("b.mov")
        request.fields = HTTPFields([("Range", "bytes=2-5")])
        var hand = download(request)
        let part = [
            ("ETag", "\"v1\""), ("Content-Range", "bytes 2-5/10"), ("Content-Length", "4"),
        ]
        hand.answer(206, part, "23")
        hand.tell(.attempt(.disconnected(try #require(hand.connection), .reset)))
        hand.wait(.seconds(2))
        hand.connect()
        #expect(hand.asked[1].fields.values(of: "Range") == ["bytes=2-5"])
        hand.answer(206, part, "2345")
        #expect(file(of: hand) == "2345")
        #expect(hand.news.last?.end == .answered(status: 206))
    }

    @Test func `a silent request is tried again after its session's time (B10, B15)`() {
        var hand = DaemonByHand()
        hand.make(
            1, hand.request("b.mov"), .download,
            BackgroundConfiguration(requestTimeout: .seconds(10)))
        hand.connect()
        hand.wait(.seconds(9))
        #expect(hand.connects == 1)
        hand.wait(.seconds(1))
        hand.wait(.seconds(2))
        #expect(hand.connects == 2)
    }

    @Test func `a session without launch events wakes nobody, and tells the next launch (B7)`() {
        var hand = DaemonByHand()
        hand.make(
            1, hand.request("a.mov"), .upload(from: "a.mov"),
            BackgroundConfiguration(sendsLaunchEvents: false))
        hand.connect()
        hand.tell(.app(0, .suspended))
        hand.answer(201)
        #expect(hand.wakes == 0 && hand.news == [])
        hand.tell(.app(0, .inFront))
        #expect(hand.news.map(\.end) == [.answered(status: 201)])
    }

    @Test func `a session lists what was not told, so that nobody makes it again (B17, B22)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.answer(201)
        hand.upload(2)
        hand.make(3, hand.request("b.mov"), .download)
        hand.tell(.asked(by: 0, .suspend(3)))
        hand.tell(.asked(by: 0, .list(session: "films")))
        guard case .tasks(session: "films", let tasks)? = hand.news.last else {
            Issue.record("there is no list")
            return
        }
        #expect(tasks.map(\.number) == [2, 3])
        #expect(tasks.map(\.state) == [.running, .suspended])
        #expect(tasks.map(\.originalRequest.address) == ["a.mov", "b.mov"])
    }

    @Test func `a session ends when its last task has been told (B18)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.tell(.asked(by: 0, .invalidate(session: "films", cancelling: false)))
        #expect(hand.news == [])
        hand.answer(201)
        #expect(hand.news.map(\.end) == [.answered(status: 201), nil])
        #expect(hand.news.last == .invalidated(session: "films"))
    }

    @Test func `a session that is cancelled ends at once (B18)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.tell(.asked(by: 0, .invalidate(session: "films", cancelling: true)))
        #expect(hand.news.map(\.end) == [.failed(.cancelled), nil])
        #expect(hand.news.last == .invalidated(session: "films"))
    }
}

/// Downloads that another task continues (B12).
@Suite struct ResumeDataTests {
    private let head = [("ETag", "\"v1\""), ("Content-Length", "10")]

    /// Half of a download has come when the app puts it off.
    private func putOff() throws -> (DaemonByHand, ResumeData) {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, head, "01234")
        hand.tell(.asked(by: 0, .cancel(1, keepingPart: true)))
        let data = try #require(hand.resumeData)
        hand.tell(.asked(by: 0, .heard(1)))
        #expect(hand.downloads.count == 1)
        return (hand, data)
    }

    private func goesOn(_ hand: inout DaemonByHand, _ data: ResumeData) {
        hand.make(2, data.request, .resumption(data))
        hand.connect()
        #expect(hand.asked.last?.fields["Range"] == "bytes=5-")
        hand.answer(
            206,
            [("ETag", "\"v1\""), ("Content-Range", "bytes 5-9/10"), ("Content-Length", "5")],
            "56789")
        #expect(hand.downloads.values.map { String(decoding: $0, as: UTF8.self) } == ["0123456789"])
        #expect(hand.news.last?.end == .answered(status: 206))
        #expect(hand.kept.count == 1)
        hand.tell(.asked(by: 0, .heard(2)))
        #expect(hand.downloads.isEmpty && hand.kept.isEmpty)
    }

    @Test func `a download that was put off goes on in another task (B20)`() throws {
        var (hand, data) = try putOff()
        goesOn(&hand, data)
    }

    @Test func `a restart of the phone takes nothing away`() throws {
        var (hand, data) = try putOff()
        hand.restart()
        #expect(hand.notes == [])
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news == [])
        goesOn(&hand, data)
    }

    @Test func `a part belongs to one task, also if the power fails in between`() throws {
        var (hand, data) = try putOff()
        let part = try #require(hand.kept[TaskID(app: 0, number: 1)])
        hand.make(2, data.request, .resumption(data))
        #expect(hand.kept.count == 1)
        hand.kept[part.id] = part
        hand.restart()
        #expect(hand.kept.count == 1 && hand.downloads.count == 1)
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        // Nothing is left for a third one.
        hand.make(3, data.request, .resumption(data))
        hand.connect()
        #expect(hand.asked.last?.fields["Range"] == nil)
    }

    @Test func `a part that nobody continues is deleted after a week (L5)`() throws {
        var (hand, _) = try putOff()
        hand.wait(.seconds(7 * 24 * 3600 - 1))
        #expect(hand.downloads.count == 1)
        hand.wait(.seconds(1))
        #expect(hand.downloads.isEmpty && hand.kept.isEmpty)
    }

    @Test func `a task that was given up, or whose app was thrown out, can be continued`() throws {
        var hand = DaemonByHand()
        hand.make(
            1, hand.request("b.mov"), .download,
            BackgroundConfiguration(resourceTimeout: .seconds(50)))
        hand.connect()
        hand.answer(200, head, "01234")
        hand.wait(.seconds(50))
        #expect(hand.news.last?.end == .failed(.timedOut))
        #expect(hand.resumeData != nil)

        hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, head, "01234")
        hand.tell(.app(0, .thrownOut))
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news.last?.end == .failed(.cancelled))
        #expect(hand.resumeData != nil)
    }

    @Test func `nothing can be continued without a validator, or of an upload`() throws {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, [("Content-Length", "10")], "01234")
        hand.tell(.asked(by: 0, .cancel(1, keepingPart: true)))
        #expect(hand.news.last?.end == .failed(.cancelled) && hand.resumeData == nil)
        hand.upload(2)
        hand.connect()
        hand.tell(.asked(by: 0, .cancel(2, keepingPart: true)))
        #expect(hand.news.last?.end == .failed(.cancelled) && hand.resumeData == nil)
    }

    @Test func `who puts off what has ended hears that there is nothing to continue`() throws {
        var (hand, _) = try putOff()
        for number: UInt64 in [1, 7] {
            hand.tell(.asked(by: 0, .cancel(number, keepingPart: true)))
            #expect(hand.news.last == .refused(.noSuchTask(number)))
        }
    }

    @Test func `a cancelled download leaves nothing`() {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, head, "01234")
        hand.tell(.asked(by: 0, .cancel(1, keepingPart: false)))
        #expect(hand.resumeData == nil)
        hand.tell(.asked(by: 0, .heard(1)))
        #expect(hand.downloads.isEmpty)
    }
}
