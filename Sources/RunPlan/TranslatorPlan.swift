package import Quantities

/// A translator of addresses on a client's way (NAT): it forgets a connection of which it has seen
/// no packet for a while (RFC 5382 §5).
package struct TranslatorPlan: Hashable, Sendable {
    package var forgetsAfter: TimeSpan
    /// Whether it answers a client that goes on then with a reset, and not with silence.
    package var resets: Bool

    package init(forgetsAfter: TimeSpan, resets: Bool = false) {
        self.forgetsAfter = forgetsAfter
        self.resets = resets
    }
}
