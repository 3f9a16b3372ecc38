/// The state of the network, as a device tells it to its apps.
package struct NetworkPath: Hashable, Sendable {
    /// The interface for new connections, by number; `nil` if there is none.
    package var interface: Int?
    package var kind: InterfaceKind?
    /// The interfaces on which connections continue, including lingering ones.
    package var alive: [Int]
    /// Whether the network costs money.
    package var isMetered: Bool
    /// Whether low data mode is on.
    package var isLowData: Bool

    package static let none = NetworkPath(
        interface: nil, kind: nil, alive: [], isMetered: false, isLowData: false)
}
