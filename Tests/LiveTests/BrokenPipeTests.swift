import Glibc
import Testing
import TransferEngine
import TransferHost

@testable import Live

/// A broken pipe is a signal by nature, and a deadly one: whoever serves strangers must not die of
/// their leaving.
@Suite struct BrokenPipeTests {
    @Test func `a peer that says good-bye and is gone breaks the stream, and nobody dies of it`()
        throws
    {
        let pair = try StreamPair()
        let before = blockBrokenPipes()
        // Such a signal is for the thread that has sent, and this one keeps it waiting.
        defer {
            _ = takeBrokenPipe()
            var before = before
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        pair.server.endSending()
        #expect(try pair.receive(on: pair.client) == .end)
        // It closes with unread data, and so answers with a reset.
        #expect([1].withUnsafeBytes { pair.client.send($0) } != .full)
        try pair.wait(for: pair.server)
        pair.closeServer()
        var poll = pollfd(fd: pair.client.descriptor.number, events: 0, revents: 0)
        try #require(Glibc.poll(&poll, 1, 10_000) == 1)

        let file = try Descriptor(opening: "/proc/self/exe", O_RDONLY)
        let sent = pair.client.send(file, at: 0, atMost: 1_000)
        #expect(sent == .broken(.reset))
        #expect(!takeBrokenPipe())
    }

    private func blockBrokenPipes() -> sigset_t {
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        return before
    }

    /// Whether a signal came.
    private func takeBrokenPipe() -> Bool {
        var (wanted, atOnce) = (sigset_t(), timespec())
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGPIPE)
        return sigtimedwait(&wanted, nil, &atOnce) == SIGPIPE
    }
}
