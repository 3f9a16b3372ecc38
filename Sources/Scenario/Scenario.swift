package import Checks
import Content
package import Device
package import DocrootServer
package import Quantities
package import RunLog
package import RunPlan

/// A situation to play: the phones and apps, their transfers, the events, and the expectations.
///
/// It comes from a file only, through `read`, and is legal by construction.
package struct Scenario: Sendable {
    package let name: String
    /// What it is for; empty if the file does not say so.
    package let why: String
    package let cites: [String]
    package let tags: [String]
    /// A run for each seed, at least one.
    package let seeds: [UInt64]
    package let device: DevicePlan
    package let otherDevices: [OtherDevice]
    package let interfaces: [InterfacePlan]
    package let network: DeviceNetwork.Settings?
    package let tcp: TCPSettings
    package let crossTraffic: CrossTraffic
    package let faults: [FaultRule]
    /// The server's settings, but for its faults.
    package let server: ServerSettings
    /// How phones find the server; `nil`: they know its address.
    package let namePlan: NamePlan?
    /// What becomes of packets of the paced transport.
    package let pacedDoor: PacedDoor
    package let visits: [Visit]
    package let timeline: [ScheduledEntry]
    package let limit: TimeSpan
    package let expectations: [Expectation]
    /// Expectations that at least one run of a suite must meet.
    package let sometimes: [Expectation]
    package let excuses: [Excuse]
    /// A canary: the run is green only if exactly this check fails.
    package let mustFail: String?
    /// The file and its path; with its parts and traces, enough to read it again.
    package let text: String
    package let path: String
    package let parts: [IncludedPart]
    package let traces: [IncludedTrace]
    /// The case of a matrix, such as `controller=bbr,profile=apple-lte`.
    package let variant: String?

    /// An expectation of this run, in the scenario's own words.
    package struct Expectation: Sendable {
        package let plan: ExpectationPlan
        package let words: String
        /// The place as `file:line:column`.
        package let place: String

        /// Makes a fresh check for one run.
        package func check() -> any Check { plan.check(words: words, place: place) }
    }

    /// An invariant that this scenario cannot hold, and the reason.
    package struct Excuse: Sendable {
        package let rule: String
        package let reason: String
    }

    /// Reads a scenario file; all mistakes come in one error. A file with a matrix is several
    /// scenarios; `parts` returns an included file by its path, and `traces` has the trace files.
    package static func cases(
        _ bytes: [UInt8], path: String, parts: @escaping (String) -> [UInt8]? = { _ in nil },
        traces: TraceShelf = TraceShelf([])
    ) throws(ScenarioError) -> [Scenario] {
        try ScenarioReader.cases(bytes, path: path, parts: parts, traces: traces)
    }

    /// Reads text that came from files, such as the first event of a log. Among several cases,
    /// returns the named one, or the first.
    package static func read(
        text: String, path: String, parts: [IncludedPart] = [], traces: [IncludedTrace] = [],
        variant: String? = nil
    ) throws(ScenarioError) -> Scenario {
        let cases = try cases(
            Array(text.utf8), path: path,
            parts: { path in parts.first { $0.path == path }.map { Array($0.text.utf8) } },
            traces: TraceShelf(traces))
        return cases.first { $0.variant == variant } ?? cases[0]
    }

    /// The ending of files that scenarios include, and that are none themselves.
    package static let partEnding = IncludedTree.ending

    /// The files of a scenario as they were read.
    struct Source {
        var text: String
        var path: String
        var parts: [IncludedPart]
    }

    /// `nil` if something required is missing, which the keys have reported.
    init?(_ draft: ScenarioDraft, source: Source, _ one: Matrix.Case) {
        guard let name = draft.name,
            let interfaces = draft.links.interfaces(), let others = draft.otherDevices,
            !draft.flows.isEmpty
                || !draft.files.isEmpty && draft.ownApp.counts != ItemCounts()
        else { return nil }
        self.name = one.values.isEmpty ? name : "\(name) [\(one.label)]"
        why = draft.why ?? ""
        cites = draft.cites
        tags = draft.tags
        seeds = draft.seeds
        var first = draft.device
        first.apps.insert(draft.ownApp, at: 0)
        var versions = FileVersions()
        device = versions.number(first)
        otherDevices = others.map { device in
            var device = device
            device.plan = versions.number(device.plan)
            return device
        }
        self.interfaces = interfaces
        network = draft.network(of: 0)
        tcp = draft.tcp
        crossTraffic = draft.crossTraffic
        faults = draft.faults
        server = draft.server
        namePlan = draft.namePlan
        pacedDoor = draft.pacedDoor
        visits = draft.visits
        timeline = draft.timeline
        limit = draft.limit
        expectations = draft.expectations
        sometimes = draft.sometimes
        excuses = draft.excuses
        mustFail = draft.mustFail
        text = source.text
        path = source.path
        parts = source.parts
        traces = draft.traces
        variant = one.words
    }

    /// What to add to a file that does not say what it is for; `nil` if it does.
    package var reasonHint: String? {
        guard why.split(separator: " ").count < 3 else { return nil }
        return why.isEmpty
            ? "the file does not say what it is for: “why: ” and a sentence would"
            : "“why: \(why)” hardly says what the file is for: a sentence would"
    }

    /// All apps, in the order in which they are counted.
    package var apps: [PlannedApp] { device.apps + otherDevices.flatMap(\.plan.apps) }

    /// The files, sessions and rules of the first phone's first app.
    package var files: [PlannedFile] { device.apps[0].files }
    package var sessions: [PlannedSession] { device.apps[0].sessions }
    package var app: AppPlan { device.apps[0].app }

    /// The number of sessions that apps add at their first launches; rules may add others.
    package var sessionsAtLaunch: Int {
        apps.reduce(0) { sum, app in
            let later = app.app.later(.queue)
            return sum
                + app.sessions.indices.count {
                    app.sessions[$0].beginning != .refused && !later.contains($0 + 1)
                }
        }
    }

    /// The number of sessions of all apps.
    package var sessionCount: Int { apps.reduce(0) { $0 + $1.sessions.count } }

    package var appCount: Int { apps.count }

    /// The names of apps and phones after the first ones, if there are any.
    package var names: RunNames? {
        let names = RunNames(apps: apps.compactMap(\.name), phones: otherDevices.map(\.name))
        return names == RunNames() ? nil : names
    }

    /// The first seed.
    package var seed: UInt64 { seeds[0] }

    /// Makes the plan of a run with its own seed or another; `ties` perturbs ties.
    package func plan(seed: UInt64? = nil, ties: UInt64? = nil) -> RunPlan {
        let seed = seed ?? self.seed
        var plan = RunPlan(
            name: name, seed: seed, device: device, interfaces: interfaces,
            timeline: timeline(seed: seed), limit: limit)
        plan.ties = ties
        plan.otherDevices = otherDevices
        plan.network = network
        plan.tcp = tcp
        plan.crossTraffic = crossTraffic
        plan.faults = faults
        plan.server = server
        plan.names = namePlan
        plan.pacedDoor = pacedDoor
        plan.visits = visits
        return plan
    }

    /// Returns the number of the file's entry, from 0, for each entry of a plan's timeline.
    package func entryNumbers(seed: UInt64) -> [Int] {
        timeline.enumerated().flatMap { index, entry in
            entry.entries(number: index + 1, seed: seed, limit: limit).map { _ in index }
        }
    }

    /// Returns the timeline with everything drawn from this seed, in the order of times.
    private func timeline(seed: UInt64) -> [TimelineEntry] {
        timeline.enumerated().flatMap { index, entry in
            entry.entries(number: index + 1, seed: seed, limit: limit)
        }
    }
}

/// Gives the files of all apps their own versions, so that a published object shows its origin.
private struct FileVersions {
    private var last: UInt32 = 0

    mutating func number(_ device: DevicePlan) -> DevicePlan {
        var device = device
        for app in device.apps.indices {
            for file in device.apps[app].files.indices {
                last += 1
                device.apps[app].files[file].version = FileVersion(file: last, edit: 0)
            }
        }
        return device
    }
}
