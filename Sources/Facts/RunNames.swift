/// The names of a run's apps and phones, which events count from 1. The first app and the first
/// phone need no name.
package struct RunNames: Hashable, Sendable, Codable {
    /// The names from the second app on; `phones` likewise.
    package var apps: [String]
    package var phones: [String]

    package init(apps: [String] = [], phones: [String] = []) {
        self.apps = apps
        self.phones = phones
    }

    /// Returns the app's name, such as `“drawing”`; `nil` for the first app.
    package func app(_ number: UInt16?) -> String? { Self.word("app", number, among: apps) }

    /// Returns the phone's name, such as `“tablet”`; `nil` for the first phone.
    package func phone(_ number: UInt16?) -> String? { Self.word("phone", number, among: phones) }

    /// Returns ` of “tablet”`; empty for the first phone.
    package func ofPhone(_ number: UInt16?) -> String { phone(number).map { " of \($0)" } ?? "" }

    func thePhone(_ number: UInt16?) -> String { phone(number) ?? "the phone" }

    /// Returns the number in events of the app or phone at this place, counted from 0; `nil` for
    /// the first one.
    package static func number(ofPlace place: Int) -> UInt16? {
        place == 0 ? nil : UInt16(place + 1)
    }

    /// Returns a name in quotes, or the number if there is no name.
    private static func word(_ kind: String, _ number: UInt16?, among names: [String]) -> String? {
        guard let number else { return nil }
        let place = Int(number) - 2
        return names.indices.contains(place) ? "“\(names[place])”" : "\(kind) \(number)"
    }
}
