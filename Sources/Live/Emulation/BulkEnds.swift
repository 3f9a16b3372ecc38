import Glibc
import Quantities
import RunPlan
import Synchronization
import TransferHost

/// The flag that ends a flow.
final class BulkStop: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// The sending end, which also samples the kernel's state.
struct BulkSender: Sendable {
    let socket: Int32
    let writes: TCPSettings.Writes
    let conversation: UploadConversation?
    let stop: BulkStop

    private static let zeros = [UInt8](repeating: 0, count: 256 * 1024)
    private static let interval = TimeSpan.milliseconds(100)

    /// Waits, connects, and sends until it is stopped or loses the connection.
    func run(to host: String, port: UInt16, after wait: TimeSpan) -> [SenderState] {
        guard var address = sockaddr_in(ipv4: host, port: port) else {
            preconditionFailure("\(host) is an address")
        }
        let waiting = MachineClock()
        while !stop.isSet, waiting.now.sinceStart < wait {
            pause(until: 0, on: -1, atMost: wait - waiting.now.sinceStart)
        }
        // Connecting does not block; the socket becomes writable when it is done.
        _ = address.withSocketAddress { connect(socket, $0, $1) }
        let clock = MachineClock()
        var states: [SenderState] = []
        var (sent, answers) = (ByteCount.zero, ByteCount.zero)
        while !stop.isSet {
            if writes == .blocking, states.count == 1 { beginToBlock() }
            let due = Self.interval * Int64(states.count + 1)
            let now = clock.now.sinceStart
            if now >= due {
                guard let state = SenderState(of: socket, at: now) else { break }
                states.append(state)
                continue
            }
            if let conversation, conversation.requested(after: answers) == sent {
                pause(until: POLLIN, on: socket, atMost: due - now)
                guard let count = takeAll(from: socket) else { break }
                answers += count
                continue
            }
            let requested = conversation.map { $0.requested(after: answers) - sent }
            let count = Int(clamping: min(requested?.bytes ?? .max, UInt64(Self.zeros.count)))
            let taken = send(socket, Self.zeros, count, Int32(MSG_NOSIGNAL))
            // While connecting, it would block, too.
            if taken < 0, errno != EAGAIN, errno != EINTR { break }
            sent += ByteCount(UInt64(max(taken, 0)))
            if taken < count { pause(until: POLLOUT, on: socket, atMost: due - now) }
        }
        return states
    }

    /// From here on each call waits for room, but never for longer than it takes to stop.
    private func beginToBlock() {
        var longest = timeval(tv_sec: 1, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        guard setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &longest, length) == 0,
            fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK) == 0
        else { preconditionFailure("a socket cannot block: \(errno)") }
    }
}

/// The receiving end, which counts, and answers if there is a conversation.
struct BulkReceiver: Sendable {
    let listener: Int32
    let conversation: UploadConversation?
    let stop: BulkStop

    /// Returns how many bytes it received.
    func run() -> ByteCount {
        var (received, answered) = (ByteCount.zero, ByteCount.zero)
        var socket: Int32 = -1
        while socket < 0, !stop.isSet {
            pause(until: POLLIN, on: listener, atMost: .milliseconds(100))
            socket = accept(listener, nil, nil)
        }
        while !stop.isSet {
            guard let count = takeAll(from: socket) else { break }
            received += count
            let owed = conversation?.answered(to: received) ?? .zero
            if owed > answered {
                let answer = [UInt8](repeating: 0, count: Int((owed - answered).bytes))
                _ = send(socket, answer, answer.count, Int32(MSG_NOSIGNAL))
                answered = owed
            }
            if count == .zero { pause(until: POLLIN, on: socket, atMost: .milliseconds(100)) }
        }
        if socket >= 0 { closeAtOnce(socket) }
        return received
    }
}

/// Resets and closes a connection: the network could not carry a farewell, but the kernel would
/// keep the network for it.
func closeAtOnce(_ socket: Int32) {
    Descriptor(adopting: socket).set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
}

/// Drops what waits to be read, without a copy, and returns how many bytes it was; `nil` if the
/// connection is over.
private func takeAll(from socket: Int32) -> ByteCount? {
    let most = 1 << 20
    let count = recv(socket, nil, most, Int32(MSG_TRUNC | MSG_DONTWAIT))
    if count > 0 { return ByteCount(UInt64(count)) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .zero : nil
}

private func pause(until event: Int32, on descriptor: Int32, atMost span: TimeSpan) {
    var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    let milliseconds = (span.nanoseconds + 999_999) / 1_000_000
    _ = poll(&watched, 1, Int32(clamping: max(milliseconds, 1)))
}
