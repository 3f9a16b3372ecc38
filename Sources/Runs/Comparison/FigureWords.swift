import Foundation

/// Figures for people: `completionNanoseconds` is a *completion* of `6.863763 s`.
enum FigureWords {
    private enum Unit: String, CaseIterable {
        case nanoseconds = "Nanoseconds"
        case bitsPerSecond = "BitsPerSecond"
        case seconds = "Seconds"
        case bytes = "Bytes"
    }

    /// Returns the name in words, without the unit.
    static func label(of name: String) -> String {
        let bare = unit(of: name).map { String(name.dropLast($0.rawValue.count)) } ?? name
        var words = ""
        for character in bare {
            words += character.isUppercase ? " " + character.lowercased() : String(character)
        }
        return words
    }

    static func text(_ side: FigureComparison.Side?, of name: String) -> String {
        switch side {
        case nil: "–"
        case .exact(.text(let text))?: text
        case .exact(.whole(let value))?: exact(value, of: name)
        case .measured(let figure)?: rounded(figure.median, of: name)
        }
    }

    /// Returns the value with all digits, so that a difference of one shows.
    static func exact(_ value: UInt64, of name: String) -> String {
        switch unit(of: name) {
        case .nanoseconds?:
            let digits = String(value % 1_000_000_000)
            let zeros = String(repeating: "0", count: 9 - digits.count)
            return "\(grouped(value / 1_000_000_000)).\(zeros)\(digits) s"
        case .bitsPerSecond?: return grouped(value) + " bit/s"
        case .bytes?: return grouped(value) + " B"
        case .seconds?: return grouped(value) + " s"
        case nil: return grouped(value)
        }
    }

    /// Returns the value with three significant digits.
    static func rounded(_ value: Double, of name: String) -> String {
        switch unit(of: name) {
        case .nanoseconds?: threeDigits(value / 1e9) + " s"
        case .bitsPerSecond?: scaled(value) + "bit/s"
        case .bytes?: scaled(value) + "B"
        case .seconds?: threeDigits(value) + " s"
        case nil: scaled(value).trimmingCharacters(in: .whitespaces)
        }
    }

    /// Returns a ratio such as `1.045`, with more places if three would hide a difference.
    static func ratio(_ value: Double) -> String {
        let short = String(format: "%.3f", value)
        return short == "1.000" && value != 1 ? String(format: "%.6f", value) : short
    }

    /// Returns three significant digits: `5.40`, `54.0`, `0.00540`.
    static func threeDigits(_ value: Double) -> String {
        guard value != 0, value.isFinite else { return value == 0 ? "0" : "–" }
        var places = 2
        var size = value.magnitude
        while size >= 9.995, places > 0 { (size, places) = (size / 10, places - 1) }
        while size < 0.9995, places < 8 { (size, places) = (size * 10, places + 1) }
        return String(format: "%.\(places)f", value)
    }

    /// Returns the value with a prefix for the unit: `5.40 M`.
    private static func scaled(_ value: Double) -> String {
        for (size, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
        where value.magnitude >= size * 0.9995 {
            return threeDigits(value / size) + " " + prefix
        }
        return threeDigits(value) + " "
    }

    private static func grouped(_ value: UInt64) -> String {
        var digits = String(value)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: " ")
    }

    private static func unit(of name: String) -> Unit? {
        Unit.allCases.first { name.hasSuffix($0.rawValue) && name != $0.rawValue }
    }
}
