import Glibc
import Quantities
import Testing
import TransferHost

@testable import Live

@Suite struct EventLoopTests {
    private let clock = MachineClock()

    @Test func `with nothing to do it returns at the deadline, never before`() throws {
        var loop = try EventLoop()
        let deadline = clock.now + .milliseconds(20)
        #expect(try loop.wait(until: deadline, by: clock) == [])
        #expect(clock.now >= deadline)
    }

    @Test func `a deadline that has passed does not wait`() throws {
        var loop = try EventLoop()
        #expect(try loop.wait(until: .start, by: clock) == [])
    }

    @Test func `what can be read is told under its own name`() throws {
        var loop = try EventLoop()
        let quiet = try DescriptorPipe()
        let busy = try DescriptorPipe()
        try loop.watch(quiet.reading.number, as: .init(kind: .phoneProcess), for: .readable)
        try loop.watch(
            busy.reading.number, as: .init(kind: .serverConnection, number: 7), for: .readable)
        #expect(write(busy.writing.number, "x", 1) == 1)
        let ready = try loop.wait(until: clock.now + .seconds(10), by: clock)
        let expected = EventLoop.Ready(
            source: .init(kind: .serverConnection, number: 7), isReadable: true,
            isWritable: false)
        #expect(ready == [expected])
    }

    @Test func `what is forgotten is not told`() throws {
        var loop = try EventLoop()
        let pipe = try DescriptorPipe()
        try loop.watch(pipe.reading.number, as: .init(kind: .phoneProcess), for: .readable)
        #expect(write(pipe.writing.number, "x", 1) == 1)
        loop.forget(pipe.reading.number)
        #expect(try loop.wait(until: clock.now + .milliseconds(20), by: clock) == [])
    }

    @Test func `a wish that was changed is the one that counts`() throws {
        var loop = try EventLoop()
        let pipe = try DescriptorPipe()
        let source = EventLoop.Source(kind: .phoneProcess)
        try loop.watch(pipe.writing.number, as: source, for: .readable)
        #expect(try loop.wait(until: clock.now + .milliseconds(20), by: clock) == [])
        try loop.change(pipe.writing.number, as: source, to: .writable)
        let ready = try loop.wait(until: clock.now + .seconds(10), by: clock)
        #expect(ready == [.init(source: source, isReadable: false, isWritable: true)])
    }
}
