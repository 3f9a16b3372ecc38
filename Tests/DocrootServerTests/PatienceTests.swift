import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// No client has a place for ever.
@Suite struct PatienceTests {
    private func bench(connections: Int = .max) -> DocrootBench {
        DocrootBench(
            ServerSettings(
                patience: Patience(request: .seconds(10), progress: .seconds(20)),
                connectionsLimit: connections))
    }

    /// Lets time pass, a second at a time, as a world does that keeps the deadlines.
    private func wait(_ seconds: Int64, in bench: DocrootBench, each: (Instant) -> Void = { _ in })
    {
        let end = bench.now + .seconds(seconds)
        while let deadline = bench.deadline, deadline <= end {
            bench.wake(at: deadline)
            each(deadline)
        }
        bench.now = end
    }

    @Test func `who never finishes its head is dropped, however many bytes it drips`() {
        let bench = bench()
        bench.connect(1)
        bench.send([.bytes(Array("GET /dav/ HTTP/1.1\r\n".utf8))])
        wait(9, in: bench) { _ in bench.send([.bytes(Array("X: y\r\n".utf8))]) }
        #expect(bench.closed.isEmpty)
        wait(2, in: bench)
        #expect(bench.closed == [1])
        #expect(bench.deadline == nil)
    }

    @Test func `a body that stands still is answered, and one that creeps is not`() {
        let bench = bench()
        bench.begin("PUT", "/dav/a", length: ByteCount(100), on: 1)
        bench.begin("PUT", "/dav/b", length: ByteCount(100), on: 2)
        var sent: UInt64 = 0
        wait(40, in: bench) { _ in
            bench.send(bytes(1, at: sent), on: 2)
            sent += 1
        }
        #expect(bench.reply(on: 1)?.status == 408)
        #expect(bench.closed == [1])
        bench.send(bytes(100 - sent, at: sent), on: 2)
        #expect(bench.reply(on: 2)?.status == 201)
        #expect(bench.server.uploads.isEmpty)
    }

    @Test func `a reader who takes nothing is cut off`() {
        let bench = bench()
        bench.ask("PUT", "/dav/a", body: bytes(3 << 20))
        bench.readersTake = false
        bench.ask("GET", "/dav/a")
        wait(15, in: bench)
        bench.drain(1)
        wait(15, in: bench)
        #expect(bench.aborted.isEmpty)
        wait(10, in: bench)
        #expect(bench.aborted == [1])
    }

    @Test func `a connection that rests between requests is closed in time`() {
        let bench = bench()
        bench.ask("PUT", "/dav/a", body: bytes(10))
        wait(8, in: bench)
        bench.ask("GET", "/dav/a")
        wait(8, in: bench)
        #expect(bench.closed.isEmpty)
        wait(3, in: bench)
        #expect(bench.closed == [1])
    }

    @Test func `one client too many is told to come again`() {
        let bench = bench(connections: 2)
        for connection: UInt32 in 1...3 { bench.connect(connection) }
        #expect(bench.reply(on: 3)?.status == 503)
        #expect(bench.closed == [3])
        bench.leave(1)
        #expect(bench.ask("PUT", "/dav/a", body: bytes(10), on: 4)?.status == 201)
    }
}
