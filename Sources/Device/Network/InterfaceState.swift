package import Quantities

/// The state of a device's interface.
///
///                  found               time              a portal comes      noticed
///         gone ───────────▶ joining ────────▶ usable ─────────────▶ suspect ────────▶ captive
///          ▲                   │    ╲          │   ▲                   │                 │
///          │                   │     ╲ portal  │   └─────── login ─────┴─────────────────┤
///          │                   │      ╲────────┼──────────────────────────────────────▶ (captive)
///          │                   │        fades  ▼                                         │
///          ├───────────────────┴─── time ── fading                                       │
///          └────────────────────────── lost (from everywhere) ───────────────────────────┘
package enum InterfaceState: Hashable, Sendable {
    case gone
    /// The network is found, but there is no address yet.
    case joining(until: Instant)
    case usable
    /// A portal answers in place of servers, and the device has not noticed.
    case suspect(until: Instant)
    /// The device knows that a login is needed.
    case captive
    /// No new connections; existing ones continue for a while.
    case fading(until: Instant)

    package enum Event: Hashable, Sendable {
        case found(joined: Instant)
        case lost
        case fades(until: Instant)
        case portalComes(noticed: Instant)
        case login
        /// The moment for which the state waits, with or without a portal.
        case deadline(behindPortal: Bool)
    }

    /// Returns the state after an event; unchanged if the event has no effect.
    package func after(_ event: Event) -> InterfaceState {
        switch (self, event) {
        case (_, .lost): .gone
        case (.gone, .found(let joined)): .joining(until: joined)
        case (.gone, .fades), (.gone, .portalComes), (.gone, .login), (.gone, .deadline): self

        case (.joining, .deadline(let isBehindPortal)): isBehindPortal ? .captive : .usable
        case (.joining, .fades): .gone
        case (.joining, .found), (.joining, .portalComes), (.joining, .login): self

        case (.usable, .fades(let end)): .fading(until: end)
        case (.usable, .portalComes(let noticed)): .suspect(until: noticed)
        case (.usable, .found), (.usable, .login), (.usable, .deadline): self

        case (.suspect, .fades(let end)): .fading(until: end)
        case (.suspect, .login): .usable
        case (.suspect, .deadline): .captive
        case (.suspect, .found), (.suspect, .portalComes): self

        case (.captive, .fades): .gone
        case (.captive, .login): .usable
        case (.captive, .found), (.captive, .portalComes), (.captive, .deadline): self

        case (.fading, .found): .usable
        case (.fading, .deadline): .gone
        case (.fading, .fades), (.fading, .portalComes), (.fading, .login): self
        }
    }

    /// Whether its links carry packets.
    package var isUp: Bool {
        switch self {
        case .gone, .joining: false
        case .usable, .suspect, .captive, .fading: true
        }
    }

    /// Whether the device opens connections over it.
    package var isOffered: Bool {
        switch self {
        case .usable, .suspect: true
        case .gone, .joining, .captive, .fading: false
        }
    }

    /// Whether its connections may continue when another interface is used.
    var mayLinger: Bool {
        switch self {
        case .usable, .suspect, .fading: true
        case .gone, .joining, .captive: false
        }
    }

    package var deadline: Instant? {
        switch self {
        case .joining(let moment), .suspect(let moment), .fading(let moment): moment
        case .gone, .usable, .captive: nil
        }
    }
}
