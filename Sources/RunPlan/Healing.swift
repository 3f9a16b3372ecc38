package import Device
package import Quantities
package import RunLog

/// The end of a phase of chaos, with a name, and the time in which everything must then end.
package struct Healing: Hashable, Sendable {
    package var name: String
    package var within: TimeSpan

    package init(name: String, within: TimeSpan) {
        self.name = name
        self.within = within
    }

    package func fact(at now: Instant) -> RunEvent.Fact {
        .run(.healing(name: name, deadline: now + within))
    }
}

extension DeviceEvent {
    /// Events that repair a phone; on an intact phone they have no effect.
    package static let healing: [DeviceEvent] =
        [.powerBack] + DiskCondition.Change.healing.map { .disk($0) }
}

extension TimelineEntry.Action {
    /// Whether the action breaks something, so that it cannot happen after a healing.
    package var breaks: Bool {
        switch self {
        case .killApp, .switchFault(_, on: true): true
        case .device(let event, _): event.breaks
        case .network(let step, _): step.breaks
        case .launchApp, .switchFault(_, on: false), .visit, .heal, .changeFile, .asks: false
        }
    }
}

extension DeviceEvent {
    /// Whether the app can use less of the phone afterwards.
    fileprivate var breaks: Bool {
        switch self {
        case .home, .locked, .callComes, .forceQuit, .crash, .kill, .memoryPressure, .dataCleared,
            .updated, .reboot, .powerLost, .bitsFlip, .daemonBitsFlip:
            true
        case .appOpened, .appWoken, .fetch, .mode, .unlocked, .callEnds, .powerBack, .lowPower,
            .charger, .clockJumps:
            false
        case .disk(let change): change.breaks
        }
    }
}

extension DeviceNetwork.Input {
    /// Whether the phone can use less of the network afterwards.
    fileprivate var breaks: Bool {
        switch self {
        case .lost, .fades, .airplaneMode(true), .power(on: false), .portalComes,
            .mappingsForgotten, .wifiMetered(true), .lowDataMode(true), .doze(true),
            .batterySaver(true):
            true
        case .begins, .found, .airplaneMode(false), .power(on: true), .login, .wifiMetered(false),
            .lowDataMode(false), .doze(false), .batterySaver(false), .heals, .wake:
            false
        }
    }
}
