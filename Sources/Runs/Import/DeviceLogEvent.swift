import Scenario

/// The event of a line of a device log, as far as a scenario can play it.
package enum DeviceLogEvent: Hashable, Sendable {
    /// The phone's system, as a scenario names it.
    case device(system: String)
    case file(path: String, size: Int)
    case fileChanged(path: String, FileEdit)
    case enqueued(source: String, destination: String?)
    case app(AppStep)
    /// An event of the phone, in the words of a timeline.
    case phone(String)
    case network(Network)
    /// The server's answer, if it was an error.
    case refused(status: Int, method: String?)
    case ended(session: Int, completed: Bool, code: Int?)

    package enum FileEdit: Hashable, Sendable {
        case edited(size: Int?)
        case deleted, touched
    }

    package enum AppStep: String, Hashable, Sendable, CaseIterable {
        case launched, active, background, killed, crashed
        case forceQuit = "force-quit"
    }

    /// The network from then on; without an interface there is none.
    package struct Network: Hashable, Sendable {
        package var interface: String?
        package var downKilobits: Double?
        package var upKilobits: Double?
        package var roundTripMilliseconds: Double?
        package var lossPercent: Double?
    }

    /// Whether the line describes the situation, and not an event.
    var isSetting: Bool {
        switch self {
        case .device, .file, .enqueued: true
        case .fileChanged, .app, .phone, .network, .refused, .ended: false
        }
    }

    private static let kinds = [
        "device", "file", "enqueue", "app", "network", "response", "result", "lock", "call",
        "memory-pressure", "reboot", "power", "low-power", "clock", "update", "disk",
    ]

    init(_ fields: DeviceLogFields) throws(DeviceLogFields.Unreadable) {
        let kind = try fields.word("event")
        switch kind {
        case "device": self = .device(system: try fields.word("os"))
        case "file": self = try fields.file()
        case "enqueue":
            self = .enqueued(
                source: try fields.word("source"), destination: fields.optionalWord("destination"))
        case "app": self = try fields.app()
        case "network": self = try fields.network()
        case "response":
            let status = try fields.count("status")
            guard (400...599).contains(status) else {
                throw .init(why: "an answer below 400 needs no fault")
            }
            self = .refused(status: status, method: fields.optionalWord("method"))
        case "result": self = try fields.result()
        case "lock": self = .phone(try fields.isOn("on") ? "screen locked" : "screen unlocked")
        case "call": self = .phone(try fields.isOn("on") ? "call comes in" : "call ends")
        case "memory-pressure": self = .phone("memory pressure")
        case "reboot": self = .phone("phone reboots")
        case "power": self = .phone(try fields.isOn("on") ? "power back" : "power lost")
        case "low-power":
            self = .phone("low-power mode \(try fields.isOn("on") ? "on" : "off")")
        case "disk":
            self = .phone(try fields.isOn("full") ? "disk full" : "disk has space again")
        case "clock": self = try fields.clock()
        case "update": self = .phone("app updated")
        default:
            throw .init(
                why: "the event “\(kind)” is unknown"
                    + Spelling.question(about: kind, among: Self.kinds))
        }
    }

}

extension DeviceLogFields {
    fileprivate func file() throws(Unreadable) -> DeviceLogEvent {
        let path = try word("path")
        switch optionalWord("change") {
        case nil: return .file(path: path, size: try count("size"))
        case "edited":
            let size = try number("size").map { Int($0) }
            return .fileChanged(path: path, .edited(size: size))
        case "deleted": return .fileChanged(path: path, .deleted)
        case "touched": return .fileChanged(path: path, .touched)
        case let change?:
            throw .init(why: "its “change” is not edited, deleted or touched: “\(change)”")
        }
    }

    fileprivate func app() throws(Unreadable) -> DeviceLogEvent {
        let state = try word("state")
        switch state {
        case "foreground": return .app(.active)
        case "jetsam": return .phone("memory pressure")
        case "inactive", "suspended":
            throw .init(why: "an app becomes \(state) by itself, as a result of other events")
        default: break
        }
        guard let step = DeviceLogEvent.AppStep(rawValue: state) else {
            let known = DeviceLogEvent.AppStep.allCases.map(\.rawValue)
            throw .init(
                why: "its “state” is not one of \(known.joined(separator: ", "))"
                    + Spelling.question(about: state, among: known))
        }
        return .app(step)
    }

    fileprivate func network() throws(Unreadable) -> DeviceLogEvent {
        let interface = try word("interface")
        guard ["wifi", "cellular", "none"].contains(interface) else {
            throw .init(why: "its “interface” is not wifi, cellular or none: “\(interface)”")
        }
        return .network(
            .init(
                interface: interface == "none" ? nil : interface,
                downKilobits: try number("down_kbps"), upKilobits: try number("up_kbps"),
                roundTripMilliseconds: try number("rtt_ms"),
                lossPercent: try number("loss_percent")))
    }

    fileprivate func result() throws(Unreadable) -> DeviceLogEvent {
        let outcome = try word("outcome")
        guard outcome == "completed" || outcome == "failed" else {
            throw .init(why: "its “outcome” is neither completed nor failed: “\(outcome)”")
        }
        return .ended(
            session: try count("session"), completed: outcome == "completed",
            code: try number("code").map { Int($0) })
    }

    fileprivate func clock() throws(Unreadable) -> DeviceLogEvent {
        if let ahead = try number("ahead_ms") {
            return .phone("clock jumps \(Int(ahead)) ms ahead")
        }
        guard let back = try number("back_ms") else {
            throw .init(why: "it has neither “ahead_ms” nor “back_ms”")
        }
        return .phone("clock jumps \(Int(back)) ms back")
    }
}
