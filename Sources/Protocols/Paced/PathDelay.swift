import Quantities

/// How long packets wait in queues: their time on the way, compared with the shortest that was seen
/// lately.
///
/// The clocks of both ends differ by an unknown constant, which the difference does not show. If
/// the shortest time has not been seen for five seconds, the sender pauses for a moment, so that
/// the queue empties and shows it again: a sender that came later has taken a part of the wait for
/// the way. A pause that shortens the way by its own length was too short, so a longer one follows.
struct PathDelay: Hashable, Sendable {
    private var shortest: TimeSpan?
    private var seenAt = Instant.start
    private var pause: Pause?
    /// A pause that the sender has to make.
    private var due: TimeSpan?

    /// A pause whose effect is awaited.
    private struct Pause: Hashable, Sendable {
        var length: TimeSpan
        var end: Instant
        /// The way before, and the shortest since.
        var before: TimeSpan
        var shortest: TimeSpan
    }

    private static let patience = TimeSpan.seconds(5)
    private static let shortestPause = TimeSpan.milliseconds(8)
    private static let longestPause = TimeSpan.milliseconds(256)

    /// Whether the way does not tell how long the queue usually is.
    var isPausing: Bool { pause != nil }

    /// Notes a time on the way; returns how much of it was waiting.
    mutating func measured(_ way: TimeSpan, roundTrip: TimeSpan, at now: Instant) -> TimeSpan {
        let known = shortest ?? way
        if way <= known {
            shortest = way
            seenAt = now
        }
        if var current = pause {
            current.shortest = min(current.shortest, way)
            pause = current
            if now >= current.end { judge(current, roundTrip, at: now) }
        } else if now - seenAt > Self.patience {
            begin(Self.shortestPause, from: way, roundTrip, at: now)
        }
        return max(way - (shortest ?? way), .zero)
    }

    /// Returns a pause to make, once.
    mutating func takePause() -> TimeSpan? {
        defer { due = nil }
        return due
    }

    private mutating func begin(
        _ length: TimeSpan, from way: TimeSpan, _ roundTrip: TimeSpan, at now: Instant
    ) {
        due = length
        // The effect shows a round trip later, in a report that takes as long again at most.
        pause = Pause(
            length: length, end: now + roundTrip * 2 + length, before: way, shortest: way)
    }

    private mutating func judge(_ pause: Pause, _ roundTrip: TimeSpan, at now: Instant) {
        let effect = pause.before - pause.shortest
        if effect * 2 > pause.length, pause.length < Self.longestPause {
            begin(pause.length * 2, from: pause.before, roundTrip, at: now)
        } else {
            // The way itself may have become longer.
            shortest = pause.shortest
            seenAt = now
            self.pause = nil
        }
    }
}
