/// What people call the apps and phones of a run, which its events count from 1. The first of each
/// is *the app* and *the phone*, and needs no name.
package struct RunNames: Hashable, Sendable, Codable {
    /// From the second one on.
    package var apps: [String]
    package var phones: [String]

    package init(apps: [String] = [], phones: [String] = []) {
        self.apps = apps
        self.phones = phones
    }

    /// `“drawing”`; `nil` is the first one.
    package func app(_ number: UInt16?) -> String? { Self.word("app", number, among: apps) }

    /// `“tablet”`; `nil` is the first one.
    package func phone(_ number: UInt16?) -> String? { Self.word("phone", number, among: phones) }

    /// The number in events of the app or phone at this place, counted from 0; the first
    /// one has none.
    package static func number(ofPlace place: Int) -> UInt16? {
        place == 0 ? nil : UInt16(place + 1)
    }

    /// Where nobody has named it, its number has to do.
    private static func word(_ kind: String, _ number: UInt16?, among names: [String]) -> String? {
        guard let number else { return nil }
        let place = Int(number) - 2
        return names.indices.contains(place) ? "“\(names[place])”" : "\(kind) \(number)"
    }
}
