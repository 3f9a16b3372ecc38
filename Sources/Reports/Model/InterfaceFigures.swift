package import Quantities
package import RunLog

/// One of a phone's ways into the network: what it moved, and what that took from the battery.
package struct InterfaceFigures: Hashable, Sendable, Codable {
    package var interface: UInt16
    package var name: String
    /// Said of phones beside the first.
    package var device: UInt16?
    /// By the phone, headers included.
    package var sent: LinkCount.Tally
    package var received: LinkCount.Tally
    package var radio: RadioFigures?

    /// For people, who may look at more than one phone.
    func title(_ names: RunNames) -> String {
        name + (names.phone(device).map { " of \($0)" } ?? "")
    }
}

/// How long a radio was in its states, and the energy of all of it.
package struct RadioFigures: Hashable, Sendable, Codable {
    package var source: String
    /// How often it had to come out of idle.
    package var promotions: Int
    package var active: TimeSpan
    package var tail: TimeSpan
    package var idle: TimeSpan
    package var millijoules: UInt64

    /// The time in which it was not asleep.
    package var on: TimeSpan { active + tail }
}
