import Quantities

/// How long a connection may be silent. One that was kept open while nothing moved may have been
/// dropped by a translator of addresses or by a proxy.
extension Lane {
    /// A connection that is silent for this long is given up (error 40).
    static let stallLimit = TimeSpan.seconds(60)
    /// The first request after a silence is not waited for as long.
    private static let limitAfterSilence = TimeSpan.seconds(10)
    private static let silence = TimeSpan.seconds(5)

    var deadline: Instant {
        lastActivity + (followsSilence ? min(Self.limitAfterSilence, patience) : patience)
    }

    /// Notes whether nothing has moved for a while, just before a request is sent again.
    mutating func noteSilence(at now: Instant) { followsSilence = isSilent(at: now) }

    private func isSilent(at now: Instant) -> Bool {
        isEstablished && phase == .idle && now >= lastActivity + Self.silence
    }

    /// Whether the connection was dropped before anything was asked of it. Another takes its place
    /// at once, as in every HTTP client (RFC 9112 §9.3.1).
    func wasStale(at now: Instant) -> Bool { followsSilence || isSilent(at: now) }
}
