/// The kind of an interface, named as in the scenario language.
package enum InterfaceKind: String, Hashable, Sendable, CaseIterable {
    /// The only interface, of unknown kind.
    case line
    case wifi
    case cellular

    /// The preference: Wi-Fi first, cellular only without it (B13).
    var rank: Int {
        switch self {
        case .line: 0
        case .wifi: 1
        case .cellular: 2
        }
    }

    package var words: String {
        switch self {
        case .line: "the line"
        case .wifi: "Wi-Fi"
        case .cellular: "cellular"
        }
    }
}
