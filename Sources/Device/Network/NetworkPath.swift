/// What a device tells its apps about its way into the network.
package struct NetworkPath: Hashable, Sendable {
    /// What new connections use, by the number of the interface; `nil`: there is nothing.
    package var interface: Int?
    package var kind: InterfaceKind?
    /// What connections may be on and go on: the one above, and those that go on for a while.
    package var alive: [Int]
    /// It costs money.
    package var isMetered: Bool
    /// The user wants to save data.
    package var isLowData: Bool

    package static let none = NetworkPath(
        interface: nil, kind: nil, alive: [], isMetered: false, isLowData: false)
}
