public import Quantities

/// When a retryable error is tried again (A16): at most 7 retries, 2 s doubling to at most 60 s.
public struct RetryPolicy: Hashable, Sendable, Codable {
    public var retries = 7
    public var first = TimeSpan.seconds(2)
    public var longest = TimeSpan.seconds(60)

    public init() {}

    /// The pause after so many failures in all, or `nil` when the budget is spent.
    public func pause(afterFailures failures: Int) -> TimeSpan? {
        guard failures <= retries else { return nil }
        var pause = first
        for _ in 1..<max(failures, 1) where pause < longest { pause = pause * 2 }
        return min(pause, longest)
    }
}
