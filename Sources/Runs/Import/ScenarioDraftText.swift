import Quantities

/// The text of a scenario from a device log, for the user to continue.
///
/// Each line knows its line of the log, so that lines that cannot be played can be removed.
struct ScenarioDraftText {
    private(set) var lines: [Line] = []
    /// Facts that the draft needs and the log does not have.
    private(set) var assumptions: [String] = []

    struct Line {
        var text: String
        /// The line of the log.
        var origin: Int?
    }

    private let log: DeviceLog
    private var sessions: [(line: Int?, source: String, destination: String)] = []
    private var sizes: [(path: String, size: Int)] = []

    init(of log: DeviceLog, name: String, from path: String) {
        self.log = log
        gather()
        add("# A draft from \(path): look at what was assumed, then at `expect`.")
        add("name: \(Self.plain(name))")
        add("why: what happened on a phone in the field happens here again")
        add("tags: [field]")
        addDevice()
        addLinks()
        add("files:")
        for file in sizes { add("  \(Self.plain(file.path)): \(Self.words(size: file.size))") }
        add("queue:")
        for session in sessions {
            add("  - upload: \(Self.plain(session.source))", from: session.line)
            add("    to: \(Self.plain(session.destination))", from: session.line)
        }
        addFaults()
        let last = log.entries.last?.at ?? .zero
        add("limit: \(Self.seconds(last) / 60 + 11) min")
        addTimeline()
        addExpectations()
    }

    var text: String { lines.map(\.text).joined(separator: "\n") + "\n" }

    private mutating func add(_ text: String, from origin: Int? = nil) {
        lines.append(Line(text: text, origin: origin))
    }

    // MARK: Files and sessions

    private mutating func gather() {
        for entry in log.entries {
            switch entry.event {
            case .file(let path, let size):
                let name = Self.relative(path)
                if !sizes.contains(where: { $0.path == name }) { sizes.append((name, size)) }
            case .enqueued(let source, let destination):
                let name = Self.relative(source)
                sessions.append(
                    (entry.line, name, destination.map(Self.relative) ?? "incoming/\(name)"))
            default: break
            }
        }
        if sessions.isEmpty {
            let source = sizes.first?.path ?? "file.bin"
            sessions = [(nil, source, "incoming/\(source)")]
            assumptions.append("no line enqueues anything: the draft uploads \(source)")
        }
        for session in sessions where !sizes.contains(where: { $0.path == session.source }) {
            sizes.append((session.source, 10_000_000))
            assumptions.append("the size of \(session.source) is unknown: 10 MB")
        }
    }

    // MARK: The phone and its network

    private mutating func addDevice() {
        for entry in log.entries {
            guard case .device(let system) = entry.event else { continue }
            return add("device: { os: \(Self.plain(system)) }", from: entry.line)
        }
        assumptions.append("the phone's system is unknown: ios-17")
        add("device: { os: ios-17 }")
    }

    private var networks: [(at: TimeSpan, line: Int, network: DeviceLogEvent.Network)] {
        log.entries.compactMap { entry in
            guard case .network(let network) = entry.event else { return nil }
            return (entry.at, entry.line, network)
        }
    }

    private mutating func addLinks() {
        let first = networks.first { $0.network.interface != nil }
        if first == nil { assumptions.append("the network is unknown: apple-lte") }
        add("links:")
        add("  profile: \(first?.network.interface == "wifi" ? "apple-wifi" : "apple-lte")")
        addDirection("uplink", \.upKilobits)
        addDirection("downlink", \.downKilobits)
    }

    private mutating func addDirection(
        _ name: String, _ rate: (DeviceLogEvent.Network) -> Double?
    ) {
        var keys: [String] = []
        let rates = networks.compactMap { entry in rate(entry.network).map { (entry.at, $0) } }
            .filter { $0.1 >= 1 }
        if let only = rates.first, rates.count == 1 {
            keys.append("rate: \(Self.words(kilobits: only.1))")
        } else if !rates.isEmpty {
            let steps = rates.enumerated().map { order, step in
                "\(order == 0 ? "0 s" : Self.words(step.0)): \(Self.words(kilobits: step.1))"
            }
            keys.append("rate: { \(steps.joined(separator: ", ")) }")
        }
        let trips = networks.compactMap(\.network.roundTripMilliseconds)
        if let trip = trips.first { keys.append("delay: \(Int(trip / 2)) ms") }
        if let loss = networks.compactMap(\.network.lossPercent).first(where: { $0 > 0 }) {
            keys.append("loss: \(min(loss, 100)) %")
        }
        let gaps = outages.map { "\(Self.words($0.from)) to \(Self.words($0.to))" }
        if !gaps.isEmpty { keys.append("outages: [\(gaps.joined(separator: ", "))]") }
        guard !keys.isEmpty else { return }
        add("  \(name): { \(keys.joined(separator: ", ")) }", from: networks.first?.line)
    }

    /// The spans from each line without a network to the next with one.
    private var outages: [(from: TimeSpan, to: TimeSpan)] {
        var gaps: [(from: TimeSpan, to: TimeSpan)] = []
        var since: TimeSpan?
        for entry in networks {
            if entry.network.interface == nil {
                since = since ?? entry.at
            } else if let from = since {
                if entry.at > from { gaps.append((from, entry.at)) }
                since = nil
            }
        }
        if let since { gaps.append((since, since + .seconds(600))) }
        return gaps
    }

    // MARK: The server, the timeline, and what must hold

    private mutating func addFaults() {
        let refusals = log.entries.compactMap { entry -> (DeviceLog.Entry, Int, String?)? in
            guard case .refused(let status, let method) = entry.event else { return nil }
            return (entry, status, method)
        }
        guard !refusals.isEmpty else { return }
        add("server:")
        add("  faults:")
        for (number, (entry, status, method)) in refusals.enumerated() {
            let only = method.map { ", method: \(Self.plain($0))" } ?? ""
            add(
                "    answer \(number + 1): { do: answer \(status)\(only), times: 1, "
                    + "from: \(Self.words(entry.at)) }", from: entry.line)
        }
    }

    private mutating func addTimeline() {
        var isRunning = true
        var last = TimeSpan.zero
        var entries: [(at: TimeSpan, words: String, line: Int)] = []
        for entry in log.entries {
            switch entry.event {
            case .app(let step):
                if step == .launched, entry.at == .zero || entries.isEmpty && isRunning { break }
                if step == .launched, isRunning {
                    assumptions.append(
                        "line \(entry.line) launches the app again, but no line before it ends "
                            + "the app: it is killed at \(Self.words(last))"
                    )
                    entries.append((last, "app killed", entry.line))
                }
                isRunning = step == .launched || isRunning && !Self.ends(step)
                entries.append((entry.at, Self.words(for: step), entry.line))
            case .phone(let words): entries.append((entry.at, words, entry.line))
            case .fileChanged(let path, let edit):
                let name = Self.relative(path)
                entries.append((entry.at, "\(name) \(Self.words(for: edit))", entry.line))
            case .device, .file, .enqueued, .network, .refused, .ended: break
            }
            last = entry.at
        }
        guard !entries.isEmpty else { return }
        add("timeline:")
        for entry in entries {
            add("  - \(Self.words(entry.at)): \(Self.plain(entry.words))", from: entry.line)
        }
    }

    private mutating func addExpectations() {
        add("expect:")
        var judged = Set<Int>()
        for entry in log.entries {
            guard case .ended(let session, let completed, let code) = entry.event,
                judged.insert(session).inserted
            else { continue }
            if completed {
                // Another link takes another time, so half as much again and 10 s are allowed.
                let limit = Self.seconds(entry.at) * 3 / 2 + 10
                add("  - session \(session) completes within \(limit) s", from: entry.line)
            } else {
                let number = code.map { " with error \($0)" } ?? ""
                assumptions.append(
                    "in the field session \(session) failed\(number); the draft expects that it "
                        + "completes"
                )
                add("  - session \(session) is completed at the end", from: entry.line)
            }
        }
        for number in 1...sessions.count where !judged.contains(number) {
            add("  - session \(number) is completed at the end")
        }
    }

    // MARK: Words

    private static func ends(_ step: DeviceLogEvent.AppStep) -> Bool {
        switch step {
        case .killed, .crashed, .forceQuit: true
        case .launched, .active, .background: false
        }
    }

    private static func words(for step: DeviceLogEvent.AppStep) -> String {
        switch step {
        case .launched: "app launched"
        case .active: "app to foreground"
        case .background: "app to background"
        case .killed: "app killed"
        case .crashed: "app crashes"
        case .forceQuit: "app force-quit"
        }
    }

    private static func words(for edit: DeviceLogEvent.FileEdit) -> String {
        switch edit {
        case .edited(let size?): "replaced by \(words(size: size))"
        case .edited(nil): "edited"
        case .deleted: "deleted"
        case .touched: "touched"
        }
    }

    private static func words(_ time: TimeSpan) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }

    private static func words(size: Int) -> String {
        switch size {
        case 1_000_000... where size % 1_000_000 == 0: "\(size / 1_000_000) MB"
        case 1_000... where size % 1_000 == 0: "\(size / 1_000) kB"
        default: "\(size) B"
        }
    }

    private static func words(kilobits: Double) -> String {
        let rate = Int(kilobits)
        return rate >= 1_000 && rate % 1_000 == 0 ? "\(rate / 1_000) Mbit/s" : "\(rate) kbit/s"
    }

    private static func seconds(_ time: TimeSpan) -> Int64 { time.nanoseconds / 1_000_000_000 }

    /// Returns a path in the container: a phone's absolute paths contain the path of its container.
    private static func relative(_ path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        guard path.hasPrefix("/") || parts.contains("..") || parts.contains(".") else {
            return parts.joined(separator: "/")
        }
        if let documents = parts.lastIndex(of: "Documents"), documents + 1 < parts.count {
            return parts[(documents + 1)...].joined(separator: "/")
        }
        return parts.last ?? "file.bin"
    }

    /// Returns the text as one word of YAML, in quotes if needed.
    private static func plain(_ text: String) -> String {
        let usual = text.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
                || "-_./ ".unicodeScalars.contains($0)
        }
        let first = text.unicodeScalars.first.map {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0)
        }
        if usual, first == true, !text.hasSuffix(" ") { return text }
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            default: scalar.isFlat ? String(scalar) : " "
            }
        }
        return "\"\(escaped.joined())\""
    }
}
