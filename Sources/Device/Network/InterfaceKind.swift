/// What a device knows of a way into the network; the names are those of the scenario language.
package enum InterfaceKind: String, Hashable, Sendable, CaseIterable {
    /// The only one, of which nothing more is known.
    case line
    case wifi
    case cellular

    /// B13: "Wi-Fi is used where there is one; cellular only without it".
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
