package import Quantities

/// An address translator (NAT) between a client and the servers. It forgets idle connections
/// (RFC 5382 §5).
package struct TranslatorPlan: Hashable, Sendable {
    package var forgetsAfter: TimeSpan
    /// Whether it resets a forgotten connection; otherwise it drops the packets silently.
    package var resets: Bool
    /// Whether only packets with payload show that a connection is in use, as in many proxies;
    /// otherwise every packet does.
    package var countsOnlyPayload: Bool

    package init(forgetsAfter: TimeSpan, resets: Bool = false, countsOnlyPayload: Bool = false) {
        self.forgetsAfter = forgetsAfter
        self.resets = resets
        self.countsOnlyPayload = countsOnlyPayload
    }
}
