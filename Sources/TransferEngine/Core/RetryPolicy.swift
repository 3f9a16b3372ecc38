public import Quantities

/// The pauses before retries (A16): at most 7, from 2 s doubling to at most 60 s.
public struct RetryPolicy: Hashable, Sendable, Codable {
    public var retries = 7
    public var first = TimeSpan.seconds(2)
    public var longest = TimeSpan.seconds(60)

    public init() {}

    /// Returns the pause after this many failures, or `nil` when the budget is spent.
    public func pause(afterFailures failures: Int) -> TimeSpan? {
        guard failures <= retries else { return nil }
        var pause = first
        for _ in 1..<max(failures, 1) where pause < longest { pause = pause * 2 }
        return min(pause, longest)
    }
}
