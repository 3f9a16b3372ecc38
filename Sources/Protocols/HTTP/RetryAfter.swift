package import Quantities

extension HTTPResponseHead {
    /// How long the server asks to be left alone (RFC 9110 §10.2.3).
    ///
    /// A date counts from the answer's own `Date`: the clock of whoever reads it may be wrong, and
    /// without one it says nothing.
    package var retryAfter: TimeSpan? {
        guard let field = fields["Retry-After"] else { return nil }
        if let seconds = ByteCount(decimalDigits: field)?.bytes {
            return .seconds(Int64(clamping: min(seconds, Self.longestRetryAfter)))
        }
        guard let then = HTTPDate.seconds(field), let now = fields["Date"].flatMap(HTTPDate.seconds)
        else { return nil }
        return then > now
            ? .seconds(Int64(clamping: min(then - now, Self.longestRetryAfter))) : .zero
    }

    /// Whoever asks for more than a year does not mean it.
    private static var longestRetryAfter: UInt64 { 366 * 86_400 }
}
