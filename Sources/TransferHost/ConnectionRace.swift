import Glibc
import Quantities
import TransferEngine

/// The way to a server that may have several addresses (RFC 8305): one attempt after the other, and
/// each begins a quarter of a second after the one before, or as soon as that has failed. The first
/// that connects is the connection.
struct ConnectionRace {
    /// Addresses that were not tried, in their order.
    private var addresses: ArraySlice<InternetAddress>
    private var attempts: [Attempt] = []
    /// When the next address is tried.
    private(set) var deadline: Instant? = .start
    private var lastFailure = Disconnection.refused

    /// A connection that may come to be.
    final class Attempt {
        let stream: TCPStream
        init(_ stream: consuming TCPStream) { self.stream = stream }
    }

    enum Outcome {
        case underWay
        case won(Attempt)
        /// No address is left.
        case lost(Disconnection)
    }

    /// The pause between two attempts (RFC 8305 §8).
    static let pause = TimeSpan.milliseconds(250)

    init(to addresses: [InternetAddress]) { self.addresses = addresses[...] }

    var wanted: [pollfd] {
        attempts.map {
            pollfd(fd: $0.stream.descriptor.number, events: Int16(POLLIN | POLLOUT), revents: 0)
        }
    }

    /// Looks at what has become of the attempts, and begins another if it is time.
    mutating func advance(
        _ ready: ArraySlice<pollfd>, at now: Instant, securedBy security: TCPStream.Security?
    ) -> Outcome {
        for found in ready where found.revents != 0 {
            guard let place = attempts.firstIndex(where: { $0.isOn(found.fd) }) else { continue }
            guard let why = attempts[place].stream.connectionError else {
                return .won(attempts[place])
            }
            attempts.remove(at: place)
            lastFailure = why
            deadline = now
        }
        while attempts.isEmpty || deadline.map({ $0 <= now }) ?? false {
            guard let address = addresses.popFirst() else { break }
            begin(address, at: now, securedBy: security)
        }
        if addresses.isEmpty { deadline = nil }
        return attempts.isEmpty ? .lost(lastFailure) : .underWay
    }

    private mutating func begin(
        _ address: InternetAddress, at now: Instant, securedBy security: TCPStream.Security?
    ) {
        do throws(SystemError) {
            attempts.append(
                Attempt(try TCPStream(connectingTo: address, securedBy: security)))
            deadline = now + Self.pause
        } catch {
            // Without a route or a socket, the server counts as unreachable.
            lastFailure = .refused
            deadline = now
        }
    }
}

extension ConnectionRace.Attempt {
    fileprivate func isOn(_ descriptor: Int32) -> Bool { stream.descriptor.number == descriptor }
}
