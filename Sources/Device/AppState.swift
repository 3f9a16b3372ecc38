/// The life of an app's process, and what moves it.
///
///     notRunning ──▶ active           opened by the user
///     notRunning ──▶ background       started by the system
///     active ⇄ inactive               covered by a call, and uncovered
///     active, inactive ──▶ background     left: home, lock, another app in front
///     background ──▶ suspended        stilled by the system (iOS)
///     suspended ──▶ background        woken by the system
///     background, suspended ──▶ active    shown again
///     any but notRunning ──▶ notRunning   ended: killed, crashed, thrown out
package enum AppState: Hashable, Sendable, CaseIterable {
    case notRunning, inactive, active, background, suspended

    package enum Event: Hashable, Sendable, CaseIterable {
        case opened, started, covered, uncovered, left, shown, stilled, woken, ended
    }

    /// Returns the state after an event. An event that is impossible in this state is a bug of the
    /// device, and traps.
    package func after(_ event: Event) -> AppState {
        switch (self, event) {
        case (.notRunning, .opened): .active
        case (.notRunning, .started): .background

        case (.active, .covered): .inactive
        case (.inactive, .uncovered): .active
        case (.active, .left), (.inactive, .left): .background

        case (.background, .stilled): .suspended
        case (.suspended, .woken): .background
        case (.background, .shown), (.suspended, .shown): .active

        case (.inactive, .ended), (.active, .ended), (.background, .ended), (.suspended, .ended):
            .notRunning

        case (.notRunning, .covered), (.notRunning, .uncovered), (.notRunning, .left),
            (.notRunning, .shown), (.notRunning, .stilled), (.notRunning, .woken),
            (.notRunning, .ended), (.inactive, .opened), (.inactive, .started),
            (.inactive, .covered), (.inactive, .shown), (.inactive, .stilled),
            (.inactive, .woken), (.active, .opened), (.active, .started), (.active, .uncovered),
            (.active, .shown), (.active, .stilled), (.active, .woken), (.background, .opened),
            (.background, .started), (.background, .covered), (.background, .uncovered),
            (.background, .left), (.background, .woken), (.suspended, .opened),
            (.suspended, .started), (.suspended, .covered), (.suspended, .uncovered),
            (.suspended, .left), (.suspended, .stilled):
            preconditionFailure("\(event) cannot reach an app that is \(self)")
        }
    }

    package var isInFront: Bool { self == .active || self == .inactive }
}
