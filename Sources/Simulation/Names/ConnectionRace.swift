import Quantities
import RunLog

/// The attempts of one connection: Happy Eyeballs, version 2 (RFC 8305).
///
///     asking ──▶ IPv6 is known: attempt IPv6 ──▶ 250 ms, or it failed: attempt IPv4 ──▶ over
///        └─────▶ only IPv4 is known: 50 ms, or there is no IPv6: attempt IPv4 ──────────┘
///
/// IPv6 comes first, as destinations are sorted (RFC 6724 §6). The owner carries out the attempts,
/// and forgets the race when one of them has won.
struct ConnectionRace: Hashable, Sendable {
    /// How long a known IPv4 address waits for an answer about IPv6 (RFC 8305 §3).
    static let resolutionDelay = TimeSpan.milliseconds(50)
    /// How long an attempt is alone before the next one begins (RFC 8305 §5).
    static let attemptDelay = TimeSpan.milliseconds(250)

    private var ipv6 = Runner.unknown
    private var ipv4 = Runner.unknown
    private var latestAttempt: Instant?
    /// When the address of IPv4 became known.
    private var ipv4Since: Instant?
    private var failure = ConnectionEnd.notFound

    private enum Runner: Hashable, Sendable {
        case unknown, ready, running, out
    }

    enum Step: Hashable, Sendable {
        case attempt(AddressFamily)
        case giveUp(ConnectionEnd)
    }

    // MARK: What happens

    mutating func learn(_ family: AddressFamily, hasAddress: Bool, at now: Instant) {
        guard self[family] == .unknown else { return }
        self[family] = hasAddress ? .ready : .out
        if family == .ipv4 { ipv4Since = now }
    }

    mutating func failed(_ family: AddressFamily, _ why: ConnectionEnd) {
        self[family] = .out
        failure = why
    }

    // MARK: What to do

    /// Returns the next step if there is one now; each is taken once.
    mutating func step(at now: Instant) -> Step? {
        if ipv6 == .out, ipv4 == .out { return .giveUp(failure) }
        guard let (family, time) = next, time <= now else { return nil }
        self[family] = .running
        latestAttempt = now
        return .attempt(family)
    }

    /// When the next attempt begins, unless something else happens before.
    var deadline: Instant? { next?.at }

    /// Whether an answer about this family could still matter.
    func waits(for family: AddressFamily) -> Bool { self[family] == .unknown }

    private var next: (family: AddressFamily, at: Instant)? {
        guard let family = AddressFamily.allCases.first(where: { self[$0] == .ready }) else {
            return nil
        }
        if ipv6 == .running || ipv4 == .running, let latestAttempt {
            return (family, latestAttempt + Self.attemptDelay)
        }
        if family == .ipv4, ipv6 == .unknown, let ipv4Since {
            return (family, ipv4Since + Self.resolutionDelay)
        }
        return (family, .start)
    }

    private subscript(family: AddressFamily) -> Runner {
        get { family == .ipv6 ? ipv6 : ipv4 }
        set {
            switch family {
            case .ipv6: ipv6 = newValue
            case .ipv4: ipv4 = newValue
            }
        }
    }
}
