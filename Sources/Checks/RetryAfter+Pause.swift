import Quantities
import RunLog

/// What a server asks for (RFC 9110 §10.2.3): a number of seconds, or a date relative to the
/// answer's own. The engine's reader is not asked, because it is judged.
extension RetryAfter {
    /// A longer pause is cut to this, because no run lasts longer.
    private static let longest = UInt64(366 * 86_400)

    /// The pause; `nil` if the field does not say it.
    var pause: TimeSpan? {
        if !field.isEmpty, field.utf8.allSatisfy({ (48...57).contains($0) }) {
            return .seconds(Int64(min(UInt64(field) ?? Self.longest, Self.longest)))
        }
        guard let then = Self.seconds(field), let now = date.flatMap(Self.seconds) else {
            return nil
        }
        return .seconds(max(0, min(then - now, Int64(Self.longest))))
    }

    /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split { $0 == " " || $0 == ":" }
        let months = "JanFebMarAprMayJunJulAugSepOctNovDec"
        guard parts.count == 8, parts[7] == "GMT", let day = Int64(parts[1]),
            let year = Int64(parts[3]), let hour = Int64(parts[4]), let minute = Int64(parts[5]),
            let second = Int64(parts[6]), year >= 1970,
            let month = (0..<12).first(where: { months.dropFirst(3 * $0).prefix(3) == parts[2] })
        else { return nil }
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month]
        // Leap days since 1970: those of earlier years, and this year's from March on.
        let last = month > 1 ? year : year - 1
        let leapDays = last / 4 - last / 100 + last / 400 - 477
        let days = (year - 1970) * 365 + leapDays + Int64(before) + day - 1
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }
}
