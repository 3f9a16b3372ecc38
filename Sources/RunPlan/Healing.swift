package import Device
package import Quantities
package import RunLog

/// The end of a phase of chaos, by its name, and how long everything then has to come to its end.
package struct Healing: Hashable, Sendable {
    package var name: String
    package var within: TimeSpan

    package init(name: String, within: TimeSpan) {
        self.name = name
        self.within = within
    }

    /// What the log says of it.
    package func fact(at now: Instant) -> RunEvent.Fact {
        .run(.healing(name: name, deadline: now + within))
    }
}

extension DeviceEvent {
    /// What makes a phone whole again; where nothing is wrong nothing comes of it.
    package static let healing: [DeviceEvent] =
        [.powerBack] + DiskCondition.Change.healing.map { .disk($0) }
}

extension TimelineEntry.Action {
    /// Whether it makes something go wrong that has to be over at a healing.
    package var breaks: Bool {
        switch self {
        case .killApp, .switchFault(_, on: true): true
        case .device(let event, _): event.breaks
        case .network(let step, _): step.breaks
        case .launchApp, .switchFault(_, on: false), .heal, .changeFile, .asks: false
        }
    }
}

extension DeviceEvent {
    /// Whether the app has less of the phone by it than before.
    fileprivate var breaks: Bool {
        switch self {
        case .home, .locked, .callComes, .forceQuit, .crash, .kill, .memoryPressure, .dataCleared,
            .updated, .reboot, .powerLost, .bitsFlip, .daemonBitsFlip:
            true
        case .appOpened, .appWoken, .unlocked, .callEnds, .powerBack, .lowPower, .charger,
            .clockJumps:
            false
        case .disk(let change): change.breaks
        }
    }
}

extension DeviceNetwork.Input {
    /// Whether there is less of a network by it than before.
    fileprivate var breaks: Bool {
        switch self {
        case .lost, .fades, .airplaneMode(true), .power(on: false), .portalComes,
            .mappingsForgotten, .wifiMetered(true), .lowDataMode(true), .doze(true):
            true
        case .begins, .found, .airplaneMode(false), .power(on: true), .login, .wifiMetered(false),
            .lowDataMode(false), .doze(false), .heals, .wake:
            false
        }
    }
}
