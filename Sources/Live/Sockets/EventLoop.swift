import CLinux
import Glibc
import Quantities
import TransferHost

/// Waits for the first of several events: something to read, room to write, a deadline. One loop
/// runs on one thread, and its handlers never block.
struct EventLoop: ~Copyable {
    private let epoll: Descriptor
    private var events = [epoll_event](repeating: epoll_event(), count: 64)

    /// A watched descriptor, by its kind and its number among its kind.
    struct Source: Hashable, Sendable {
        enum Kind: UInt32, Sendable {
            case listener, serverConnection, processConnection
            /// The server's port of the paced transport.
            case datagrams
            /// A process on a phone, and a process's line to its parent.
            case phoneProcess, lifeline
            case capture, interruption
            /// Threads that wait for a disk.
            case disk
            case statusListener, statusVisitor
            /// A captive portal and its visitors.
            case portal, portalVisitor
        }

        var kind: Kind
        var number: UInt32 = 0
    }

    struct Interest: OptionSet {
        let rawValue: UInt32
        static let readable = Interest(rawValue: EPOLLIN.rawValue)
        static let writable = Interest(rawValue: EPOLLOUT.rawValue)
    }

    /// A source with something to do. One that is over counts as both readable and writable, and
    /// the attempt tells how it ended.
    struct Ready: Hashable {
        var source: Source
        var isReadable: Bool
        var isWritable: Bool
    }

    init() throws(SystemError) {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard number >= 0 else { throw SystemError("make an event loop") }
        epoll = Descriptor(adopting: number)
    }

    func watch(
        _ descriptor: Int32, as source: Source, for interest: Interest
    ) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, source, interest)
    }

    func change(
        _ descriptor: Int32, as source: Source, to interest: Interest
    ) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor, source, interest)
    }

    /// Must be called before the descriptor is closed.
    func forget(_ descriptor: Int32) {
        _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Returns when something is ready, or at the deadline.
    mutating func wait(
        until deadline: Instant?, by clock: MachineClock
    ) throws(SystemError) -> [Ready] {
        let count: Int32
        if let deadline {
            var time = clock.time(until: deadline)
            count = epoll_pwait2(epoll.number, &events, Int32(events.count), &time, nil)
        } else {
            count = epoll_wait(epoll.number, &events, Int32(events.count), -1)
        }
        guard count >= 0 else {
            if errno == EINTR { return [] }
            throw SystemError("wait")
        }
        return events.prefix(Int(count)).compactMap(Self.ready)
    }

    private static func ready(_ event: epoll_event) -> Ready? {
        let data = event.data.u64
        guard let kind = Source.Kind(rawValue: UInt32(data >> 32)) else { return nil }
        let isOver = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        return Ready(
            source: Source(kind: kind, number: UInt32(truncatingIfNeeded: data)),
            isReadable: isOver || event.events & EPOLLIN.rawValue != 0,
            isWritable: isOver || event.events & EPOLLOUT.rawValue != 0)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ source: Source, _ interest: Interest
    ) throws(SystemError) {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = UInt64(source.kind.rawValue) << 32 | UInt64(source.number)
        guard epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else {
            throw SystemError("watch a descriptor")
        }
    }
}
