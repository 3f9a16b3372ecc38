import Content
import Protocols
import Quantities
import Testing

@testable import TransferEngine

/// Behaviours P3 and P6 over the paced transport: paths of a persistent session move at once on
/// channels of one session.
@Suite struct PacedChannelTests {
    /// A persistent session that runs over the transport.
    private static func opened(channels: Bool = true) -> QueueBench {
        var bench = QueueBench(sessions: 0)
        var request = SessionRequest(
            account: QueueBench.access, uploads: [], settings: QueueBench.plain)
        request.isPersistent = true
        request.settings.transport = .paced
        bench.tell(.command(.queue(.enqueue(request))))
        bench.connect()
        bench.grants(channels: channels)
        bench.streamOpens()
        return bench
    }

    private static func add(_ count: Int, to bench: inout QueueBench) {
        for _ in 0..<count {
            let path = SessionRequest.File(source: "a", destination: "in/a")
            bench.tell(.command(.queue(.addPath(path, to: SessionID(1)))))
        }
    }

    @Test func `paths that are added open channels beside the stream`() throws {
        var bench = Self.opened()
        let request = try #require(bench.written.last { $0.hasPrefix("POST /paced") })
        #expect(request.contains("\r\nPaced-Channels: ?1\r\n"))
        #expect(try #require(bench.route).hasChannels)
        let stream = try #require(bench.stream)
        Self.add(6, to: &bench)
        // The first path moves on the stream, and three more beside it until short ones arrive.
        #expect(bench.channels.map(\.other) == [stream, stream, stream])
        bench.finish(isConnected: true)
        bench.tell(.attempt(.connected(bench.channels[0].id)))
        #expect(bench.errors.isEmpty)
    }

    @Test func `one more path moves for each short file that has arrived`() {
        var bench = Self.opened()
        Self.add(8, to: &bench)
        #expect(bench.channels.count == 3)
        bench.finish(isConnected: true)
        #expect(bench.channels.count == 4)
    }

    @Test func `a server without channels gets a connection for each of a few paths`() throws {
        var bench = Self.opened(channels: false)
        #expect(try #require(bench.route).hasChannels == false)
        Self.add(6, to: &bench)
        #expect(bench.channels.isEmpty)
    }

    @Test func `a session of one file asks for no channels`() {
        var bench = QueueBench(sessions: 0)
        var request = QueueBench.request
        request.settings.transport = .paced
        bench.tell(.command(.queue(.enqueue(request))))
        bench.connect()
        #expect(!bench.written.contains { $0.contains("Paced-Channels") })
    }

    @Test func `a channel that breaks in a body is replaced by another`() throws {
        var bench = Self.opened()
        Self.add(1, to: &bench)
        let size = ByteCount(5_000_000)
        bench.finds(.regularFile(SourceFingerprint(size: size, modified: 0)))
        bench.hears("201 Created\r\nTus-Resumable: 1.0.0\r\nLocation: /tus/1")
        let stream = try #require(bench.stream)
        bench.hears("403 Forbidden")
        #expect(bench.channels.map(\.other) == [stream])
        #expect(bench.ended.contains(stream))
        #expect(bench.errors.isEmpty)
    }

    @Test func `short files let more move at once, and a long one fewer`() {
        var channels = ChannelAllowance()
        let before = channels.allowed
        for _ in 0..<1_000 { channels.completed(ByteCount(10_000)) }
        #expect(channels.allowed == 256 && before == 4)
        channels.completed(ByteCount(300_000))
        #expect(channels.allowed == 128)
        for _ in 0..<10 { channels.completed(ByteCount(300_000)) }
        #expect(channels.allowed == before)
        channels.opened = PacedChannels.most
        #expect(channels.isSpent)
    }
}
