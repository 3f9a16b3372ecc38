import Content
import DocrootServer
import Facts
import Protocols
import Quantities
import Testing

@Suite struct AppendTests {
    static let version = FileVersion(file: 1, edit: 0)

    @Test func `an offset is acknowledged only after the store has it`() {
        var client = Self.created()
        client.storeAnswers = false
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(10)), on: 1)
        client.body(Self.range(0, 10), on: 1)
        #expect(client.answers.count == 1)
        client.letStoreAnswer()
        #expect(client.lastStatus == 204)
        #expect(client.answers.last?.head.fields["Upload-Offset"] == "10")
    }

    @Test func `the object is published with its last byte, and not before`() {
        var client = Self.created()
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(99)), on: 1)
        client.body(Self.range(0, 99), on: 1)
        #expect(client.published.isEmpty)
        client.ask(.append(resource: "/tus/1", at: ByteCount(99), length: ByteCount(1)), on: 1)
        client.body(Self.range(99, 1), on: 1)
        #expect(client.published == ["in/video.mov"])
        #expect(client.lastStatus == 204)
    }

    @Test(arguments: [0, 9, 11, 100]) func `an append beside the offset is a conflict`(
        offset: UInt64
    ) {
        var client = Self.created()
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(10)), on: 1)
        client.body(Self.range(0, 10), on: 1)
        client.ask(.append(resource: "/tus/1", at: ByteCount(offset), length: ByteCount(1)), on: 1)
        #expect(client.lastStatus == 409)
    }

    @Test func `a late append that is refused has not begun, and leaves the writer alone`() {
        var client = Self.created()
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(100)), on: 1)
        client.body(Self.range(0, 40), on: 1)
        client.connect(2)
        client.ask(.append(resource: "/tus/1", at: ByteCount(10), length: ByteCount(90)), on: 2)
        #expect(client.lastStatus == 409)
        client.body(Self.range(40, 60), on: 1)
        #expect(client.closed.isEmpty)
        #expect(client.published == ["in/video.mov"])
        let beginnings = client.notes.filter { if case .appendBegan = $0 { true } else { false } }
        #expect(beginnings == [.appendBegan(ResourceName("/tus/1"), at: .zero, staged: .zero)])
    }

    @Test func `a connection that breaks leaves what had arrived`() {
        var client = Self.created()
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(100)), on: 1)
        client.body(Self.range(0, 40), on: 1)
        client.disconnect(1)
        client.connect(2)
        client.ask(.offset(resource: "/tus/1"), on: 2)
        #expect(client.answers.last?.head.fields["Upload-Offset"] == "40")
    }

    @Test func `who writes on behind one that waits for its answer ends it, and waits itself`() {
        var client = Self.created()
        client.storeAnswers = false
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(40)), on: 1)
        client.body(Self.range(0, 40), on: 1)
        client.disconnect(1)
        client.connect(2)
        client.ask(.append(resource: "/tus/1", at: ByteCount(40), length: ByteCount(60)), on: 2)
        client.storeAnswers = true
        client.letStoreAnswer()
        #expect(client.answers.count == 1, "the second writer has sent nothing yet")
        client.body(Self.range(40, 60), on: 2)
        #expect(client.lastStatus == 204)
        let appends = client.notes.filter {
            switch $0 {
            case .appendBegan, .appendEnded: true
            default: false
            }
        }
        let resource = ResourceName("/tus/1")
        #expect(
            appends == [
                .appendBegan(resource, at: .zero, staged: .zero),
                .appendEnded(resource, staged: .zero, complete: false),
                .appendBegan(resource, at: ByteCount(40), staged: ByteCount(40)),
                .appendEnded(resource, staged: ByteCount(100), complete: true),
            ])
    }

    @Test func `who asks for the offset ends the earlier append, so that the answer stays true`() {
        var client = Self.created()
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(100)), on: 1)
        client.body(Self.range(0, 40), on: 1)
        client.connect(2)
        client.ask(.offset(resource: "/tus/1"), on: 2)
        client.body(Self.range(40, 10), on: 1)
        client.ask(.append(resource: "/tus/1", at: ByteCount(40), length: ByteCount(60)), on: 2)
        client.body(Self.range(40, 60), on: 2)
        #expect(client.closed == [1])
        #expect(client.published == ["in/video.mov"])
    }

    @Test func `who hears that an upload is whole can read the object`() {
        var client = Self.created()
        client.storePublishes = false
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(100)), on: 1)
        client.body(Self.range(0, 100), on: 1)
        #expect(client.lastStatus == 500)
        client.connect(2)
        client.ask(.offset(resource: "/tus/1"), on: 2)
        #expect(client.lastStatus == 500)
        client.storePublishes = true
        client.connect(3)
        client.ask(.offset(resource: "/tus/1"), on: 3)
        #expect(client.answers.last?.head.fields["Upload-Offset"] == "100")
        #expect(client.published == ["in/video.mov"])
    }

    @Test func `the offset waits for bytes on their way to the store`() {
        var client = Self.created()
        client.storeAnswers = false
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(100)), on: 1)
        client.body(Self.range(0, 40), on: 1)
        client.connect(2)
        client.ask(.offset(resource: "/tus/1"), on: 2)
        #expect(client.answers.count == 1)
        client.letStoreAnswer()
        #expect(client.answers.last?.head.fields["Upload-Offset"] == "40")
    }

    @Test func `more than was announced is refused`() {
        var client = Self.created()
        client.ask(.append(resource: "/tus/1", at: .zero, length: ByteCount(101)), on: 1)
        #expect(client.lastStatus == 413)
    }

    @Test func `an empty object stands before its creation is answered`() {
        var client = TusConversation()
        client.storeAnswers = false
        client.connect(1)
        client.ask(.create(collection: "/tus", object: "empty", length: .zero), on: 1)
        #expect(client.answers.isEmpty)
        client.letStoreAnswer()
        #expect(client.lastStatus == 201)
        #expect(client.published == ["empty"])
    }

    static func created() -> TusConversation {
        var client = TusConversation()
        client.connect(1)
        client.ask(
            .create(collection: "/tus", object: "in/video.mov", length: ByteCount(100)), on: 1)
        return client
    }

    static func range(_ offset: UInt64, _ length: UInt64) -> ContentRange {
        ContentRange(version, offset: ByteCount(offset), length: ByteCount(length))
    }
}
