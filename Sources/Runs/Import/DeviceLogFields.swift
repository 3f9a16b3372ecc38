import Foundation

/// The fields of one line of a device log.
struct DeviceLogFields {
    private let values: [String: Any]

    /// The reason why a line cannot be used.
    struct Unreadable: Error { var why: String }

    init(_ line: Data) throws(Unreadable) {
        let object: Any
        do { object = try JSONSerialization.jsonObject(with: line) } catch {
            throw Unreadable(why: "it is not JSON")
        }
        guard let values = object as? [String: Any] else {
            throw Unreadable(why: "it is not an object in braces")
        }
        self.values = values
    }

    /// Returns the time in seconds: a number, or a date by ISO 8601.
    func time() throws(Unreadable) -> Double {
        guard let value = values["time"] else { throw Unreadable(why: "it has no “time”") }
        if let number = value as? NSNumber, number.doubleValue.isFinite {
            return number.doubleValue
        }
        guard let text = value as? String else {
            throw Unreadable(why: "its “time” is neither seconds nor a date")
        }
        let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? exact.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
        else {
            throw Unreadable(
                why: "its “time” is not a date such as 2026-11-20T08:15:02.120Z: “\(text)”")
        }
        return date.timeIntervalSince1970
    }

    func word(_ name: String) throws(Unreadable) -> String {
        guard let word = values[name] as? String, !word.isEmpty else {
            throw Unreadable(why: "it has no “\(name)” in quotes")
        }
        return word
    }

    func optionalWord(_ name: String) -> String? { values[name] as? String }

    func isOn(_ name: String) throws(Unreadable) -> Bool {
        guard let value = values[name] as? Bool else {
            throw Unreadable(why: "its “\(name)” is neither true nor false")
        }
        return value
    }

    /// Returns a number of at least 0; `nil` if the field is missing.
    func number(_ name: String) throws(Unreadable) -> Double? {
        guard let value = values[name] else { return nil }
        guard let number = (value as? NSNumber)?.doubleValue, number.isFinite, number >= 0,
            number < 1e15
        else { throw Unreadable(why: "its “\(name)” is not a number of at least 0") }
        return number
    }

    func count(_ name: String) throws(Unreadable) -> Int {
        guard let number = try number(name), number == number.rounded() else {
            throw Unreadable(why: "it has no whole number as “\(name)”")
        }
        return Int(number)
    }
}
