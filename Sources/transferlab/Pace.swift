/// How long some work has taken, and how long the rest of it will take.
struct Pace {
    private let began = ContinuousClock.now

    /// Until this much is done, a guess would mean little.
    private static let least = (seconds: 2.0, count: 3)

    /// The time since the beginning.
    var elapsed: String {
        let seconds = elapsedSeconds
        guard seconds < 10 else { return Self.words(seconds) }
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// Returns the end of a line of progress: the time so far, and the time left by the mean of the
    /// parts that are done. It is empty in the first second.
    func note(done: Int, of count: Int) -> String {
        let seconds = elapsedSeconds
        guard seconds >= 1 else { return "" }
        guard seconds >= Self.least.seconds, done >= Self.least.count, done < count else {
            return "; \(Self.words(seconds))"
        }
        let rest = seconds / Double(done) * Double(count - done)
        return "; \(Self.words(seconds)), about \(Self.words(rest)) left"
    }

    private var elapsedSeconds: Double { began.duration(to: .now) / .seconds(1) }

    private static func words(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        return switch whole {
        case ..<60: "\(whole) s"
        case ..<3_600: "\(whole / 60) min \(whole % 60) s"
        default: "\(whole / 3_600) h \(whole / 60 % 60) min"
        }
    }
}
