import Scenario

/// What a line of a device log tells, as far as a scenario can play it.
package enum DeviceLogEvent: Hashable, Sendable {
    /// The phone's system, as a scenario names it.
    case device(system: String)
    case file(path: String, size: Int)
    case fileChanged(path: String, FileEdit)
    case enqueued(source: String, destination: String?)
    case app(AppStep)
    /// Something that happens to the phone, in the words of a timeline.
    case phone(String)
    case network(Network)
    /// The server's answer, where it was an error.
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

    /// What the network was from then on; without an interface there was none.
    package struct Network: Hashable, Sendable {
        package var interface: String?
        package var downKilobits: Double?
        package var upKilobits: Double?
        package var roundTripMilliseconds: Double?
        package var lossPercent: Double?
    }

    /// It says what there is, and not what happens.
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
        case "file": self = try Self.file(fields)
        case "enqueue":
            self = .enqueued(
                source: try fields.word("source"), destination: fields.optionalWord("destination"))
        case "app": self = try Self.app(fields)
        case "network": self = try Self.network(fields)
        case "response":
            let status = try fields.count("status")
            guard (400...599).contains(status) else {
                throw .init(why: "an answer below 400 needs no fault")
            }
            self = .refused(status: status, method: fields.optionalWord("method"))
        case "result": self = try Self.result(fields)
        case "lock": self = .phone(try fields.isOn("on") ? "screen locked" : "screen unlocked")
        case "call": self = .phone(try fields.isOn("on") ? "call comes in" : "call ends")
        case "memory-pressure": self = .phone("memory pressure")
        case "reboot": self = .phone("phone reboots")
        case "power": self = .phone(try fields.isOn("on") ? "power back" : "power lost")
        case "low-power":
            self = .phone("low-power mode \(try fields.isOn("on") ? "on" : "off")")
        case "disk":
            self = .phone(try fields.isOn("full") ? "disk full" : "disk has space again")
        case "clock": self = try Self.clock(fields)
        case "update": self = .phone("app updated")
        default:
            let nearest = Spelling.nearest(to: kind, among: Self.kinds)
            throw .init(
                why: "the event “\(kind)” is unknown"
                    + (nearest.map { ", did you mean “\($0)”?" } ?? ""))
        }
    }

    private static func file(
        _ fields: DeviceLogFields
    ) throws(DeviceLogFields.Unreadable) -> DeviceLogEvent {
        let path = try fields.word("path")
        switch fields.optionalWord("change") {
        case nil: return .file(path: path, size: try fields.count("size"))
        case "edited":
            let size = try fields.number("size").map { Int($0) }
            return .fileChanged(path: path, .edited(size: size))
        case "deleted": return .fileChanged(path: path, .deleted)
        case "touched": return .fileChanged(path: path, .touched)
        case let change?:
            throw .init(why: "its “change” is not edited, deleted or touched: “\(change)”")
        }
    }

    private static func app(
        _ fields: DeviceLogFields
    ) throws(DeviceLogFields.Unreadable) -> DeviceLogEvent {
        let state = try fields.word("state")
        switch state {
        case "foreground": return .app(.active)
        case "jetsam": return .phone("memory pressure")
        case "inactive", "suspended":
            throw .init(why: "an app becomes \(state) by itself, as a result of other events")
        default: break
        }
        guard let step = AppStep(rawValue: state) else {
            let known = AppStep.allCases.map(\.rawValue)
            let nearest = Spelling.nearest(to: state, among: known)
            throw .init(
                why: "its “state” is not one of \(known.joined(separator: ", "))"
                    + (nearest.map { ", did you mean “\($0)”?" } ?? ""))
        }
        return .app(step)
    }

    private static func network(
        _ fields: DeviceLogFields
    ) throws(DeviceLogFields.Unreadable) -> DeviceLogEvent {
        let interface = try fields.word("interface")
        guard ["wifi", "cellular", "none"].contains(interface) else {
            throw .init(why: "its “interface” is not wifi, cellular or none: “\(interface)”")
        }
        return .network(
            Network(
                interface: interface == "none" ? nil : interface,
                downKilobits: try fields.number("down_kbps"),
                upKilobits: try fields.number("up_kbps"),
                roundTripMilliseconds: try fields.number("rtt_ms"),
                lossPercent: try fields.number("loss_percent")))
    }

    private static func result(
        _ fields: DeviceLogFields
    ) throws(DeviceLogFields.Unreadable) -> DeviceLogEvent {
        let outcome = try fields.word("outcome")
        guard outcome == "completed" || outcome == "failed" else {
            throw .init(why: "its “outcome” is neither completed nor failed: “\(outcome)”")
        }
        return .ended(
            session: try fields.count("session"), completed: outcome == "completed",
            code: try fields.number("code").map { Int($0) })
    }

    private static func clock(
        _ fields: DeviceLogFields
    ) throws(DeviceLogFields.Unreadable) -> DeviceLogEvent {
        if let ahead = try fields.number("ahead_ms") {
            return .phone("clock jumps \(Int(ahead)) ms ahead")
        }
        guard let back = try fields.number("back_ms") else {
            throw .init(why: "it has neither “ahead_ms” nor “back_ms”")
        }
        return .phone("clock jumps \(Int(back)) ms back")
    }
}
