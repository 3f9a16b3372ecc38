package import Quantities

/// An end that comes to an app of the first phone out of nothing, once: a crash point. A while
/// later the app is opened again.
package struct ProcessCut: Hashable, Sendable {
    package var occasion: Occasion
    /// The phone is without power by it; otherwise the app is killed, and nothing else.
    package var losesPower: Bool
    /// How long the app is not there, or the phone has no power.
    package var pause: TimeSpan

    package enum Occasion: Hashable, Sendable {
        case at(Instant)
        /// Instead of the write with this number, from 1, that the stores of its apps are written
        /// with; where the power is lost, of all stores on the phone.
        case atStoreWrite(UInt64)
    }

    package init(_ occasion: Occasion, losesPower: Bool, pause: TimeSpan) {
        self.occasion = occasion
        self.losesPower = losesPower
        self.pause = pause
    }
}
