import CLinux
import Glibc
import Quantities
import Recording
import RunPlan
import TransferHost

/// Runs a pair of links between two TUN devices in real time, on one thread, until the flow is
/// over.
///
/// It sleeps until the next packet comes or is due; as a real-time thread it wakes at once. The
/// kernel does the receiver's TCP work on this thread, too, while a packet is written to a device.
struct LinkEmulator: ~Copyable {
    private var links: LinkPair<TunPort>
    private let ports: [Int32]
    private let clock = MachineClock()

    /// How an emulation ended.
    struct Outcome: Sendable {
        var book: BulkFlowBook
        var lateness: Lateness
        var ending: Ending
    }

    enum Ending: Hashable, Sendable {
        case flowIsOver
        /// No packet came for too long.
        case nothingCame
        case interrupted
    }

    /// The longest sleep without a due packet.
    private static let longestSleep = TimeSpan.milliseconds(100)
    private static let longestSilence = TimeSpan.seconds(10)

    init(_ plan: BulkFlowPlan, client: TunPort, server: TunPort) {
        links = LinkPair(plan, client: client, server: server)
        ports = [client.descriptor, server.descriptor]
    }

    /// Ends at once when `interruption` becomes readable.
    mutating func run(interruption: Int32) -> Outcome {
        var watched = (ports + [interruption]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            let next = links.turn { clock.now }
            if links.book.isOver { return outcome(.flowIsOver) }
            let now = clock.now
            if links.book.start == nil, now.sinceStart > Self.longestSilence {
                return outcome(.nothingCame)
            }
            let sleep = min(next.map { $0 - now } ?? Self.longestSleep, Self.longestSleep)
            var span = timespec(tv_sec: 0, tv_nsec: Int(max(sleep, .zero).nanoseconds))
            _ = ppoll(&watched, nfds_t(watched.count), &span, nil)
            if watched[2].revents != 0 { return outcome(.interrupted) }
        }
    }

    private func outcome(_ ending: Ending) -> Outcome {
        Outcome(book: links.book, lateness: links.lateness, ending: ending)
    }
}
