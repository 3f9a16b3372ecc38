import Device
import LinkModels
import Quantities
import RunLog
import RunPlan
import TransferEngine

extension Scenario {
    /// The plan in plain sentences, for readers of a log or report.
    package var sentences: [String] {
        device.sentences + otherDevices.flatMap(\.sentences)
            + linkSentences(on: interfaces) + networkSentences(network, of: interfaces)
            + otherDevices.filter { !$0.hasCopiedLinks }.flatMap { phone in
                linkSentences(on: phone.interfaces)
                    + networkSentences(phone.network, of: phone.interfaces, on: phone.name)
            } + tcpSentences
            + trafficSentences
            + itemSentences(of: apps[0])
            + otherAppSentences
            + app.sentences(with: sessions)
            + serverSentences
            + faults.map(\.sentence)
            + visits.map { "Visit “\($0.name)” of another client: \($0.title)." }
            + timeline.map { $0.sentence(in: self) }
            + ["The run ends at \(limit) at the latest."]
            + expectations.map { "Expected: \($0.words)." }
            + sometimes.map { "One run at least has to show: \($0.words)." }
            + excuses.map { "\($0.rule) is excused: \($0.reason)." }
            + (mustFail.map { ["This is a canary: “\($0)” must fail, and nothing else."] } ?? [])
    }

    /// The sentences of one run, including what its seed has drawn.
    package func sentences(seed: UInt64) -> [String] {
        sentences
            + timeline.enumerated().compactMap { index, entry in
                entry.drawn(number: index + 1, seed: seed, in: self)
            }
    }

    private func linkSentences(on interfaces: [InterfacePlan]) -> [String] {
        interfaces.flatMap { way in
            [sentence(on: way.uplink), sentence(on: way.downlink)]
                + [way.translatorSentence].compactMap(\.self) + way.radioSentences
        }
    }

    private func sentence(on link: LinkPlan) -> String {
        let queue =
            switch link.bottleneck.queue {
            case .dropTail(let limit): "its queue takes \(limit)"
            case .dropTailPackets(let count): "its queue takes \(count) packets"
            case .disciplined(let discipline, let limit):
                "its queue takes \(limit) and \(discipline.sentence)"
            }
        let line =
            "The \(link.name) carries \(link.bottleneck.rateSentence) with \(link.delaySentence)"
        let way =
            link.lossesOnWay.map { "behind the queue, \($0.sentence)" }
            + [link.slots?.sentence].compactMap(\.self)
        return ([line, queue] + link.filters.map(\.sentence) + way).joined(separator: "; ") + "."
    }

    private func networkSentences(
        _ network: DeviceNetwork.Settings?, of interfaces: [InterfacePlan],
        on phone: String? = nil
    ) -> [String] {
        guard let network, interfaces.count > 1 else { return [] }
        let fate = network.endsConnections ? "end" : "go silent"
        return [
            "\(phone.map { "On “\($0)” " } ?? "")Wi-Fi is used where there is one, cellular only "
                + "without it; to join or replace a network takes \(network.gap).",
            "When another interface\(phone.map { " of “\($0)”" } ?? "") is used, connections go on "
                + "over the former for \(network.linger); on one that is gone they \(fate).",
        ]
    }

    /// Only settings that differ from the defaults.
    private var tcpSentences: [String] {
        var sentences: [String] = []
        let client = tcp.clientController ?? tcp.controller
        let server = tcp.serverController ?? tcp.controller
        if client != server {
            sentences.append(
                "The client's TCP has \(client.rawValue), the server's \(server.rawValue).")
        }
        if tcp.security != .none {
            let count = tcp.security.roundTrips
            sentences.append(
                "Connections speak \(tcp.security.words): \(count) round "
                    + "\(count == 1 ? "trip" : "trips") more before the first request.")
        }
        if let background = tcp.backgroundController {
            sentences.append(
                "The system's background transfers have the TCP of \(background.rawValue).")
        }
        if tcp.initialWindow != TCPSettings.usualInitialWindow {
            sentences.append("Connections begin with \(tcp.initialWindow) segments.")
        }
        if tcp.pacesWindows {
            sentences.append("A congestion window is spread over the round trip.")
        }
        if tcp.slowStart == .hystartPlusPlus {
            sentences.append("CUBIC ends its slow start as RFC 9406 says (HyStart++).")
        }
        let detections = [
            ("client", tcp.clientBlackHoles ?? tcp.blackHoles),
            ("server", tcp.serverBlackHoles ?? tcp.blackHoles),
        ]
        for (host, detection) in detections {
            guard let system = detection.system else { continue }
            sentences.append("The \(host) finds out as \(system) that large packets vanish.")
        }
        if tcp.writes == .blocking {
            sentences.append("Hosts write with calls that wait for room in the send buffer.")
        }
        if tcp.ecn != .off {
            let form = tcp.ecn == .accurate ? "AccECN" : "ECN"
            sentences.append(
                "Congestion is marked where a queue does so, not only shown by losses (\(form)).")
        }
        return sentences
    }

    private var serverSentences: [String] {
        server.sentences + [pacedDoor.sentence].compactMap(\.self) + (namePlan?.sentences ?? [])
    }

    private var trafficSentences: [String] {
        let streams = crossTraffic.streams.map {
            "Others send on the \(name(of: $0.direction, $0.interface)): \($0.sentence)."
        }
        let flows = crossTraffic.flows.map { group in
            let link = name(of: group.direction, group.interface)
            guard let flow = group.name else {
                return "Others compete on the \(link), flows: \(group.count), each "
                    + "\(group.sentence)."
            }
            let number = group.count > 1 ? ", \(group.count) at a time, each" : ""
            return "Flow “\(flow)” sends on the \(link)\(number): \(group.sentence)."
        }
        return streams + flows
    }

    /// The name of a direction, or of the link if it is not the first.
    private func name(of direction: CrossTraffic.Direction, _ interface: Int) -> String {
        guard interface > 0 else { return direction.name }
        let way = (interfaces + otherDevices.flatMap(\.interfaces))[interface]
        return direction == .uplink ? way.uplink.name : way.downlink.name
    }

    private var otherAppSentences: [String] {
        var before = apps[0].counts
        return apps.dropFirst().flatMap { other in
            defer { before += other.counts }
            return itemSentences(of: other, after: before)
                + other.app.sentences(of: other.name, with: other.sessions, before: before)
        }
    }

    /// The sentences of an app's items; `before` counts the items of the apps before it.
    private func itemSentences(
        of app: PlannedApp, after before: ItemCounts = ItemCounts()
    ) -> [String] {
        func numbered<Item>(_ items: [Item], _ facade: Facade) -> [(number: Int, item: Item)] {
            zip((Int(before[facade]) + 1)..., items).map { ($0, $1) }
        }
        let (plan, name) = (app.app, app.name)
        let sessions = numbered(app.sessions, .queue)
            .map { sentence(on: $0.item, number: $0.number, of: name) }
        let operations = numbered(plan.operations, .operations)
            .map { $0.item.sentence(number: $0.number, of: name) }
        let transfers = numbered(plan.transfers, .bucket)
            .map { $0.item.sentence(number: $0.number, of: name) }
        let tasks = numbered(plan.tasks, .background)
            .map { $0.item.sentence(number: $0.number, of: name, before: before) }
        return sessions + operations + transfers + tasks
            + BackgroundSessionKeys.sentences(plan.backgroundSessions, of: name)
    }

    private func sentence(on session: PlannedSession, number: Int, of app: String?) -> String {
        let limits = [
            session.limits.contains(.noCellular) ? "not over cellular" : nil,
            session.limits.contains(.noMetered) ? "not over a metered network" : nil,
            session.limits.contains(.noLowData) ? "not in low data mode" : nil,
        ].compactMap { $0.map { ", \($0)" } }.joined()
        let work = session.work.sentence(among: app == nil ? files : [])
        return "Session \(number)\(app.map { ", of “\($0)”," } ?? "") \(work)"
            + "\(app == nil ? limits : "")\(session.beginningClause)\(session.settings.clause)."
    }
}

extension PlannedSession {
    /// A path such as `a.mov`, or words for all of them.
    func words(forPath number: Int?) -> String {
        number.map { paths[$0 - 1].source } ?? "all of its files"
    }
}

extension PlannedSession.Work {
    /// The session in a sentence, with the sizes of its own files.
    fileprivate func sentence(among files: [PlannedFile]) -> String {
        func words(for path: PlannedPath) -> String {
            let size = files.first { $0.path == path.source }.map { " (\($0.size))" } ?? ""
            return "\(path.source)\(size) to \(path.destination)"
        }
        return switch self {
        case .upload(let paths):
            paths.isEmpty ? "uploads nothing" : "uploads " + paths.map(words).list
        case .download(let paths):
            "downloads " + paths.map { "\($0.source) to \($0.destination)" }.list
        case .paths(let paths, let isDownload):
            "is persistent\(isDownload ? " and downloads" : ""); what can be added is "
                + paths.map(words).joined(separator: ", ")
        }
    }
}

extension CrossTraffic.Direction {
    fileprivate var name: String {
        switch self {
        case .uplink: "uplink"
        case .downlink: "downlink"
        }
    }
}

extension TCPSettings.BlackHoleDetection {
    /// The system that does it, if any does.
    fileprivate var system: String? {
        switch self {
        case .off: nil
        case .linux: "Linux does"
        case .apple: "Apple's systems do"
        }
    }
}
