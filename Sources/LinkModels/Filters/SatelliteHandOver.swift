package import Quantities

/// Hand-overs of a satellite network: at fixed moments a terminal moves to another satellite. What
/// is sent while it moves is lost, and until the next move the way is longer by a random detour.
package struct SatelliteHandOver: Sendable {
    private let options: Options
    private var random: RandomStream
    private var number: UInt64 = 0
    private var detour: TimeSpan

    package struct Options: Hashable, Sendable {
        package var every: TimeSpan
        package var outage: TimeSpan
        /// Detours are uniform up to this.
        package var longestDetour: TimeSpan

        package init(every: TimeSpan, outage: TimeSpan, longestDetour: TimeSpan) {
            self.every = every
            self.outage = outage
            self.longestDetour = longestDetour
        }
    }

    init(_ options: Options, random: RandomStream) {
        self.options = options
        self.random = random
        detour = .zero
        detour = drawDetour()
    }

    mutating func accept(at now: Instant) -> StageVerdict {
        let (moved, since) = now.nanoseconds.quotientAndRemainder(
            dividingBy: options.every.nanoseconds.magnitude)
        while number < moved {
            number += 1
            detour = drawDetour()
        }
        let isMoving = moved > 0 && since < options.outage.nanoseconds.magnitude
        return isMoving ? .drop(.lost) : .delay(detour)
    }

    private mutating func drawDetour() -> TimeSpan {
        let choices = options.longestDetour.nanoseconds.magnitude + 1
        return TimeSpan(nanoseconds: Int64(random.below(choices)))
    }
}
