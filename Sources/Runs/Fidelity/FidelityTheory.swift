import Quantities

/// The goodput of a flow by formulas from the literature, as a second opinion.
enum FidelityTheory {
    /// The payload of a packet of 1500 bytes with timestamps in its header.
    private static let payload = 1_448.0
    private static let packet = 1_500.0
    /// The seconds that Linux adds to the round trip at least (RFC 6298 asks for more).
    private static let leastVariance = 0.2

    /// Returns bits per second, at most the link's capacity.
    static func goodput(_ cell: FidelityCell) -> Double {
        let rate = Double(cell.rate.bitsPerSecond)
        let capacity = rate * payload / packet
        let loss = Double(cell.lossPerMille) / 1_000
        guard loss > 0 else { return capacity }
        let packets: Double
        switch cell.controller {
        case .reno: packets = pftk(loss, cell.roundTrip.seconds)
        case .cubic: packets = cubicWindow(loss, cell.roundTrip.seconds) / cell.roundTrip.seconds
        // BBR ignores losses, so it loses only the lost packets.
        case .bbr: packets = .infinity
        }
        return min(packets * payload * 8, capacity) * (1 - loss)
    }

    static func name(of controller: FidelityCell.Controller) -> String {
        switch controller {
        case .reno: "PFTK"
        case .cubic: "RFC 9438"
        case .bbr: "capacity"
        }
    }

    /// Returns packets per second by Padhye, Firoiu, Towsley and Kurose (1998), as in RFC 5348 §3.1
    /// with b = 1, because Linux's window grows by acknowledged bytes, not by acknowledgements.
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
