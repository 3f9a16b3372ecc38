package import Quantities

/// A crash point: an app of the first phone ends once, and is opened again after a pause.
package struct ProcessCut: Hashable, Sendable {
    package var occasion: Occasion
    /// Whether the phone loses power; otherwise only the app is killed.
    package var losesPower: Bool
    /// The time until the app is opened again, or the power is back.
    package var pause: TimeSpan

    package enum Occasion: Hashable, Sendable {
        case at(Instant)
        /// Instead of the write with this number, from 1. Writes to the apps' stores count; if the
        /// power is lost, writes to all stores on the phone.
        case atStoreWrite(UInt64)
    }

    package init(_ occasion: Occasion, losesPower: Bool, pause: TimeSpan) {
        self.occasion = occasion
        self.losesPower = losesPower
        self.pause = pause
    }
}
