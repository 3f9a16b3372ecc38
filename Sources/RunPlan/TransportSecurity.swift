/// The TLS of the simulated hosts, with its names in the scenario language.
///
/// 0-RTT is missing on purpose: uploads are not safe to repeat, so no client sends them as early
/// data (RFC 8446 §8, RFC 8470 §2).
package enum TransportSecurity: String, Hashable, Sendable, CaseIterable {
    case none
    case tls12 = "1.2"
    case tls12Resumed = "1.2 resumed"
    case tls13 = "1.3"
    case tls13Resumed = "1.3 resumed"

    /// The round trips between TCP's handshake and the application's first byte (RFC 5246 §7.3,
    /// RFC 8446 §2).
    package var roundTrips: Int {
        switch self {
        case .none: 0
        case .tls12: 2
        case .tls12Resumed, .tls13, .tls13Resumed: 1
        }
    }

    package var isTLS13: Bool { self == .tls13 || self == .tls13Resumed }

    /// Whether every connection resumes an earlier TLS session, without certificates.
    package var isResumed: Bool { self == .tls12Resumed || self == .tls13Resumed }

    /// Describes it in a log or a report.
    package var words: String {
        guard self != .none else { return "no TLS" }
        return "TLS \(isTLS13 ? "1.3" : "1.2")" + (isResumed ? " with a session resumed" : "")
    }
}
