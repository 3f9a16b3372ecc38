import Testing

@testable import Protocols

/// Streams of bytes in the one stream of a session.
@Suite struct PacedChannelsTests {
    /// An end with the bytes of its channels.
    private final class End {
        var channels: PacedChannels
        var inboxes: [Int: [UInt8]] = [:]
        var news: [String] = []

        init(at side: PacedSide) { channels = PacedChannels(at: side) }

        func written(_ bytes: [UInt8], on channel: Int) -> [UInt8] {
            channels.frame(of: bytes.count, on: channel) + bytes
        }

        /// Takes bytes of the stream; returns false if no peer would send them.
        func take(_ bytes: some Sequence<UInt8>) -> Bool {
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                switch channels.next {
                case .head(let size):
                    guard channels.take(head: rest.prefix(size)) else { return false }
                    rest = rest.dropFirst(size)
                case .content(let channel, let size):
                    let content = rest.prefix(size)
                    if channels.take(content.count) { inboxes[channel, default: []] += content }
                    rest = rest.dropFirst(size)
                }
            }
            for (channel, change) in channels.news() { news.append("\(channel) \(change)") }
            return true
        }
    }

    @Test func `bytes come out on their channels, however the stream is cut`() {
        var dice = SystemRandomNumberGenerator()
        let (client, server) = (End(at: .client), End(at: .server))
        for channel in 1...5 {
            let number = client.channels.open()
            #expect(number == channel)
        }
        var stream: [UInt8] = []
        var sent: [Int: [UInt8]] = [:]
        for _ in 0..<200 {
            let channel = Int.random(in: 0...5, using: &dice)
            let bytes = (0..<Int.random(in: 1...300, using: &dice)).map { _ in
                UInt8.random(in: 0...255, using: &dice)
            }
            sent[channel, default: []] += bytes
            stream += client.written(bytes, on: channel)
        }
        var rest = stream[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...500, using: &dice))
            #expect(server.take(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(server.inboxes == sent)
        // What has left is told by channel, and heads count for none.
        client.channels.transmitted(UInt64(stream.count))
        for (channel, bytes) in sent {
            #expect(client.channels.transmitted(on: channel) == UInt64(bytes.count))
        }
    }

    @Test func `a channel that is ended by both sides is over, and others go on`() {
        let (client, server) = (End(at: .client), End(at: .server))
        _ = client.channels.open()
        let all = client.written([1, 2], on: 1) + client.channels.finish(1)
        #expect(server.take(all))
        #expect(server.news == ["1 opened", "1 content", "1 peerFinished"])
        let end = server.channels.finish(1)
        #expect(client.take(end))
        #expect(client.news == ["1 over(Protocols.PacedEnd.End.closed)"])
        #expect(server.take([]))
        #expect(server.news.last == "1 over(Protocols.PacedEnd.End.closed)")
        #expect(!server.channels.hasFinished && server.channels.mayWrite(on: 0))
        let more = client.written([3], on: 0)
        #expect(server.take(more))
        #expect(server.inboxes[0] == [3])
    }

    @Test func `a channel is broken off in both directions`() {
        let (client, server) = (End(at: .client), End(at: .server))
        _ = client.channels.open()
        let all = client.written([1], on: 1) + client.channels.breakOff(1)
        #expect(server.take(all))
        #expect(server.news.last == "1 over(Protocols.PacedEnd.End.reset)")
        #expect(!server.channels.mayWrite(on: 1) && server.channels.mayWrite(on: 0))
    }

    @Test func `what was not read counts, until it is read or nobody will`() {
        let (client, server) = (End(at: .client), End(at: .server))
        _ = client.channels.open()
        let bytes = client.written([1, 2, 3], on: 0) + client.written([4, 5], on: 1)
        #expect(server.take(bytes))
        #expect(server.channels.unread == 5)
        server.channels.read(3, on: 0)
        #expect(server.channels.unread == 2 && server.channels.unread(on: 1) == 2)
        _ = server.channels.finish(1)
        #expect(server.channels.unread == 0)
        let late = client.written([6], on: 1)
        #expect(server.take(late))
        #expect(server.channels.unread == 0)
    }

    @Test(arguments: [
        [0, 0, 0x40, 1],  // longer than any frame
        [4, 0, 0, 1],  // a channel beyond the last
        [0, 9, 0, 1],  // a channel that the client has not opened
    ])
    func `a head that no peer would send ends the session`(head: [UInt8]) {
        let client = End(at: .client)
        #expect(!client.take(head))
    }

    @Test func `after its end a channel brings nothing`() {
        let (client, server) = (End(at: .client), End(at: .server))
        let end = client.channels.finish(0)
        #expect(server.take(end))
        #expect(!server.take([0, 0, 0, 1]))
    }

    @Test func `a session has no more channels than it may`() {
        var client = PacedChannels(at: .client)
        for _ in 1..<PacedChannels.most { _ = client.open() }
        let other = client.open()
        #expect(other == nil)
    }
}
