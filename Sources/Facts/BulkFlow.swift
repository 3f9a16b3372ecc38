package import Quantities

/// A TCP flow with endless data over a link that loses each packet by the same chance. Formulas
/// from the literature say how fast it is, without slow start.
package struct BulkFlow: Hashable, Sendable, Codable {
    /// Congestion controllers, with the kernel's names.
    package enum Controller: String, Hashable, Sendable, CaseIterable, Codable {
        case reno, cubic, bbr
    }

    package var controller: Controller
    /// The round-trip time without a wait in a queue.
    package var roundTrip: TimeSpan

    /// The bytes of a full packet, and its payload beside headers with timestamps.
    package static let packet = 1_500.0
    package static let payload = 1_448.0
    /// The seconds that Linux adds to the round trip at least (RFC 6298 asks for more).
    private static let leastVariance = 0.2

    package init(_ controller: Controller, roundTrip: TimeSpan) {
        self.controller = controller
        self.roundTrip = roundTrip
    }

    /// Returns the packets sent per second: by Padhye, Firoiu, Towsley and Kurose (PFTK) for reno,
    /// by RFC 9438's mean window for cubic, and never more than the link's rate allows. BBR ignores
    /// losses.
    package func packetsPerSecond(at rate: Bitrate, losing chance: Probability) -> Double {
        let capacity = Double(rate.bitsPerSecond) / 8 / Self.packet
        let (loss, roundTrip) = (chance.fraction, roundTrip.seconds)
        return switch controller {
        case .reno: min(capacity, Self.pftk(loss, roundTrip))
        case .cubic: min(capacity, Self.cubicWindow(loss, roundTrip) / roundTrip)
        case .bbr: capacity
        }
    }

    /// Returns packets per second as in RFC 5348 §3.1 with b = 1, because Linux's window grows by
    /// acknowledged bytes, not by acknowledgements.
    private static func pftk(_ loss: Double, _ roundTrip: Double) -> Double {
        let timeout = roundTrip + leastVariance
        let recovery = roundTrip * (2 * loss / 3).squareRoot()
        let silence =
            timeout * min(1, 3 * (3 * loss / 8).squareRoot()) * loss * (1 + 32 * loss * loss)
        return 1 / (recovery + silence)
    }

    /// Returns the mean window in packets: RFC 9438 §5 (deterministic loss, C = 0.4, β = 0.7), or a
    /// Reno flow's window if it is larger (§4.3).
    private static func cubicWindow(_ loss: Double, _ roundTrip: Double) -> Double {
        let cubes = roundTrip / loss
        let root = cubes.squareRoot().squareRoot()
        let cubic = (0.4 * 3.7 / (4 * 0.3)).squareRoot().squareRoot() * root * root * root
        let reno = (3 / (2 * loss)).squareRoot()
        return max(cubic, reno)
    }
}
