package import Quantities

/// Where an interface of a device stands.
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
    /// Found; it has no address yet.
    case joining(until: Instant)
    case usable
    /// A portal answers in everybody's place, and the device has not noticed.
    case suspect(until: Instant)
    /// The device knows that nobody is reached before somebody logs in.
    case captive
    /// No longer used for anything new; what stands goes on for a while.
    case fading(until: Instant)

    package enum Event: Hashable, Sendable {
        case found(joined: Instant)
        case lost
        case fades(until: Instant)
        case portalComes(noticed: Instant)
        case login
        /// The moment that the state waits for, behind a portal or not.
        case deadline(behindPortal: Bool)
    }

    /// The state after an event; the same where it means nothing.
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

    /// Whether its links carry anything.
    package var isUp: Bool {
        switch self {
        case .gone, .joining: false
        case .usable, .suspect, .captive, .fading: true
        }
    }

    /// Whether the device opens connections over it, as far as it knows.
    package var isOffered: Bool {
        switch self {
        case .usable, .suspect: true
        case .gone, .joining, .captive, .fading: false
        }
    }

    /// Whether what stands may go on when another interface is used.
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
