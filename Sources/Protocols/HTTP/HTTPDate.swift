/// Conversion of seconds since 1970 to and from `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7),
/// with integers only.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package static func text(_ seconds: UInt64) -> String {
        let (day, time) = (seconds / 86_400, seconds % 86_400)
        let (year, month, date) = civil(fromDay: Int64(clamping: day))
        let name = days[Int(day % 7)]
        return "\(name), \(two(date)) \(months[month - 1]) \(year) \(clock(time)) GMT"
    }

    /// Parses only the current form. The two obsolete forms are no date, which makes a condition on
    /// them void (RFC 9110 §13.1.3).
    package static func seconds(_ text: String) -> UInt64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 6, words[5] == "GMT", days.contains(where: { "\($0)," == words[0] }),
            let date = number(words[1], digits: 2), (1...31).contains(date),
            let month = months.firstIndex(of: words[2]),
            let year = number(words[3], digits: 4), year >= 1970
        else { return nil }
        let parts = words[4].split(separator: ":", omittingEmptySubsequences: false)
            .map { number(String($0), digits: 2) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let day = Self.day(year: year, month: month + 1, date: date)
        return UInt64(day) * 86_400 + UInt64(hour * 3_600 + minute * 60 + second)
    }

    /// Converts days with years that begin in March, so that the leap day is the last: 400 such
    /// years have 146 097 days.
    private static func civil(fromDay day: Int64) -> (year: Int64, month: Int, date: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let place = (5 * dayOfYear + 2) / 153
        let month = Int(place < 10 ? place + 3 : place - 9)
        let date = Int(dayOfYear - (153 * place + 2) / 5 + 1)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
    }

    private static func day(year: Int, month: Int, date: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + date - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return shifted / 400 * 146_097 + dayOfEra - 719_468
    }

    private static func clock(_ time: UInt64) -> String {
        "\(two(Int(time / 3_600))):\(two(Int(time / 60 % 60))):\(two(Int(time % 60)))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func number(_ text: String, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}
