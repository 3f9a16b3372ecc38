package import Quantities
package import RunLog

/// A phone's interface: its traffic, and the energy that it took.
package struct InterfaceFigures: Hashable, Sendable, Codable {
    package var interface: UInt16
    package var name: String
    /// The phone; `nil` is the first one.
    package var device: UInt16?
    /// The packets that the phone sent, headers included.
    package var sent: LinkCount.Tally
    package var received: LinkCount.Tally
    package var radio: RadioFigures?

    /// Returns the name, with the phone if there are several.
    func title(_ names: RunNames) -> String { name + names.ofPhone(device) }
}

/// The times of a radio in its states, and their energy.
package struct RadioFigures: Hashable, Sendable, Codable {
    package var source: String
    /// The number of times that the radio left the idle state.
    package var promotions: Int
    package var active: TimeSpan
    package var tail: TimeSpan
    package var idle: TimeSpan
    package var millijoules: UInt64

    package var on: TimeSpan { active + tail }
}
