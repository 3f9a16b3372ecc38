package import Foundation
import Quantities
import RunLog

/// A run's timeline and series as trace events, which Perfetto and chrome://tracing show.
///
/// The format is described in Google's “Trace Event Format”: times are in microseconds.
package struct TraceEvents {
    private var events: [Event] = []
    private let model: ReportModel

    /// An event; a key that is `nil` is left out.
    private struct Event: Encodable {
        var name: String
        var cat: String?
        var ph: String
        var ts: Double?
        var dur: Double?
        var pid: Int
        var tid: Int?
        /// The scope of an instant: `g` draws it through all processes.
        var s: String?
        var args: [String: JSONTree]?
    }

    /// The processes of the trace, each a group of rows.
    fileprivate enum Group: Int, CaseIterable {
        case run = 1, phones, network, server

        var words: String {
            switch self {
            case .run: "run"
            case .phones: "phones and apps"
            case .network: "network"
            case .server: "server"
            }
        }
    }

    private struct Form: Encodable {
        var traceEvents: [Event]
        var displayTimeUnit: String
        var otherData: [String: String]
    }

    package static func data(for model: ReportModel) -> Data {
        var trace = TraceEvents(model: model)
        trace.addRun()
        for group in Group.allCases { trace.addLanes(of: group) }
        trace.addCounters()
        let form = Form(
            traceEvents: trace.events, displayTimeUnit: "ms", otherData: trace.otherData)
        return Data((RunJSON.text(form, pretty: false) + "\n").utf8)
    }

    private init(model: ReportModel) { self.model = model }

    private var otherData: [String: String] {
        let lanes = model.timeline.lanes
        var data = [
            "scenario": model.beginning.scenario, "file": model.beginning.path,
            "world": model.beginning.world.rawValue, "seed": "\(model.beginning.seed)",
            "digest": model.digest, "command": model.beginning.command,
            "judgement": model.judgement.sentence,
            "momentsLeftOut": "\(model.timeline.momentsLeftOut)",
            "spansLeftOut": "\(lanes.reduce(0) { $0 + $1.spansLeftOut })",
        ]
        data["program"] = model.program.map { "\($0)" }
        data["variant"] = model.beginning.variant
        return data
    }

    // MARK: Rows

    private mutating func addRun() {
        let run = Group.run.rawValue
        name(1, of: .run, "run")
        events.append(
            Event(
                name: model.beginning.scenario, cat: "run", ph: "X", ts: 0,
                dur: Self.microseconds(model.duration), pid: run, tid: 1,
                args: ["judgement": .text(model.judgement.sentence)]))
        guard !model.timeline.moments.isEmpty else { return }
        name(2, of: .run, "moments")
        for (order, moment) in model.timeline.moments.enumerated() {
            var args: [String: JSONTree] = [
                "event": .whole(moment.event), "number": .whole(order + 1),
            ]
            if let count = moment.count { args["count"] = .whole(count) }
            events.append(
                Event(
                    name: "\(moment.kind.words): \(moment.words)", cat: moment.kind.rawValue,
                    ph: "i", ts: Self.microseconds(moment.at.sinceStart), pid: run, tid: 2, s: "g",
                    args: args))
        }
    }

    private mutating func addLanes(of group: Group) {
        add("process_name", ["name": .text(group.words)], of: group)
        add("process_sort_index", ["sort_index": .whole(group.rawValue)], of: group)
        var row = 100 * group.rawValue
        for lane in model.timeline.lanes where lane.kind.group == group {
            for spans in Self.rows(of: lane.spans) {
                row += 1
                name(row, of: group, lane.title)
                events += spans.map { Self.event(for: $0, pid: group.rawValue, tid: row) }
            }
        }
    }

    /// Returns the spans in rows, in which none overlaps another.
    private static func rows(of spans: [Timeline.Span]) -> [[Timeline.Span]] {
        var rows: [[Timeline.Span]] = []
        for span in spans {
            let free = rows.firstIndex { $0.allSatisfy { $0.to <= span.from } }
            if let free { rows[free].append(span) } else { rows.append([span]) }
        }
        return rows
    }

    private static func event(for span: Timeline.Span, pid: Int, tid: Int) -> Event {
        Event(
            name: span.words, cat: span.state.rawValue, ph: "X",
            ts: microseconds(span.from.sinceStart), dur: microseconds(span.to - span.from),
            pid: pid, tid: tid, args: ["state": .text(span.state.words)])
    }

    private mutating func name(_ row: Int, of group: Group, _ title: String) {
        add("thread_name", ["name": .text(title)], of: group, row: row)
        add("thread_sort_index", ["sort_index": .whole(row)], of: group, row: row)
    }

    /// Adds an event that describes a group, or a row of it.
    private mutating func add(
        _ kind: String, _ args: [String: JSONTree], of group: Group, row: Int? = nil
    ) {
        events.append(Event(name: kind, ph: "M", pid: group.rawValue, tid: row, args: args))
    }

    // MARK: Series

    private mutating func addCounters() {
        for track in model.series.tracks {
            let group: Group = track.kind == .session ? .phones : .network
            var last: Int64?
            // A counter keeps its value until the next event.
            for point in track.points where point.value != last {
                last = point.value
                let value: JSONTree =
                    track.unit == .seconds
                    ? .number(TimeSpan(nanoseconds: point.value).seconds)
                    : .whole(Int(point.value))
                events.append(
                    Event(
                        name: "\(track.subject): \(track.name)", cat: "series", ph: "C",
                        ts: Self.microseconds(point.at.sinceStart), pid: group.rawValue,
                        args: [track.unit.rawValue: value]))
            }
        }
    }

    /// Returns microseconds; the number in JSON has all nanoseconds of a run of years.
    private static func microseconds(_ time: TimeSpan) -> Double {
        Double(time.nanoseconds) / 1_000
    }
}

extension Timeline.Lane.Kind {
    fileprivate var group: TraceEvents.Group {
        switch self {
        case .app, .disk, .session: .phones
        case .network, .connections: .network
        case .server, .faults: .server
        }
    }
}
