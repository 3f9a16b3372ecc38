package import Quantities

extension HTTPResponseHead {
    /// How long the server asks to be left alone (RFC 9110 §10.2.3).
    ///
    /// A date is relative to the answer's own `Date`, as the reader's clock may be wrong. Without
    /// that field, a date says nothing.
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

    /// More than a year is not meant seriously.
    private static var longestRetryAfter: UInt64 { 366 * 86_400 }
}
