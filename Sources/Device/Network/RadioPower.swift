package import Quantities

/// The power of a radio in its states, in milliwatts.
///
///          packet                    no packet for `pause`
///     idle ──────▶ promotion ──▶ active ───────▶ tail ── until `tail` after the last ──▶ idle
///                                   ▲      packet  │
///                                   └──────────────┘
package struct RadioPower: Hashable, Sendable {
    package let source: String
    package private(set) var promotion: TimeSpan
    package let promotionPower: Double
    package let activePower: Double
    package private(set) var pause: TimeSpan
    package private(set) var tail: TimeSpan
    package let tailPower: Double
    package let idlePower: Double
    package let millijoulesPerMegabitUp: Double
    package let millijoulesPerMegabitDown: Double

    /// Makes the power of a kind of interface; `nil` if it has no radio.
    package init?(_ kind: InterfaceKind) {
        switch kind {
        case .line: return nil
        case .wifi: self = .wifi
        case .cellular: self = .lte
        }
    }

    /// Returns the power of a radio that takes these times; `nil` keeps the source's.
    package func taking(promotion: TimeSpan?, pause: TimeSpan?, tail: TimeSpan?) -> RadioPower {
        var power = self
        power.promotion = promotion ?? power.promotion
        power.pause = pause ?? power.pause
        power.tail = tail ?? power.tail
        return power
    }

    private init(
        promotion: (milliseconds: Double, power: Double), activePower: Double, pause: TimeSpan,
        tail: (milliseconds: Double, power: Double),
        listens: (milliseconds: Double, every: Double, power: Double),
        perMegabit: (up: Double, down: Double)
    ) {
        source = "Huang et al. (MobiSys 2012), not yet checked against the paper"
        self.promotion = TimeSpan(nanoseconds: Int64(promotion.milliseconds * 1e6))
        promotionPower = promotion.power
        self.activePower = activePower
        self.pause = pause
        self.tail = TimeSpan(nanoseconds: Int64(tail.milliseconds * 1e6))
        tailPower = tail.power
        idlePower = listens.power * listens.milliseconds / listens.every
        millijoulesPerMegabitUp = perMegabit.up
        millijoulesPerMegabitDown = perMegabit.down
    }

    /// LTE: discontinuous reception in the tail, and from time to time when idle. The inactivity
    /// timer is 100 ms; the radio is half awake after it.
    private static let lte = RadioPower(
        promotion: (260.1, 1210.7), activePower: 1288.04, pause: .milliseconds(100),
        tail: (11_576, 1060), listens: (43.2, 1280.2, 594.3), perMegabit: (438.39, 51.97))

    /// Wi-Fi in power save mode: an idle radio only receives beacons. The source does not define a
    /// pause; ten milliseconds are our choice.
    private static let wifi = RadioPower(
        promotion: (79.1, 124.4), activePower: 132.86, pause: .milliseconds(10),
        tail: (238.1, 119.3), listens: (7.6, 308.2, 77.2), perMegabit: (283.17, 137.01))
}
