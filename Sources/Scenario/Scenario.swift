package import Checks
import Content
package import Device
package import DocrootServer
package import Quantities
package import RunLog
package import RunPlan

/// A situation to play: who is there, what is queued, what happens when, and what must hold.
///
/// It comes from a file only, through `read`, and is legal by construction.
package struct Scenario: Sendable {
    package let name: String
    package let why: String
    package let cites: [String]
    package let tags: [String]
    /// One run for each; there is one at least.
    package let seeds: [UInt64]
    package let device: DevicePlan
    package let otherDevices: [OtherDevice]
    package let interfaces: [InterfacePlan]
    package let network: DeviceNetwork.Settings?
    package let tcp: TCPSettings
    package let crossTraffic: CrossTraffic
    package let faults: [FaultRule]
    package let timeline: [ScheduledEntry]
    package let limit: TimeSpan
    package let expectations: [Expectation]
    /// What one of a suite's runs must reach, and not each.
    package let sometimes: [Expectation]
    package let excuses: [Excuse]
    /// A canary: the run is green only if this check falls, and no other.
    package let mustFail: String?
    /// The file as it was read, and where it stood: with its parts enough to read it again.
    package let text: String
    package let path: String
    package let parts: [IncludedPart]
    /// Which of a matrix's cases this is, such as `controller=bbr,profile=apple-lte`.
    package let variant: String?

    /// Something that must hold in this run, in the scenario's own words.
    package struct Expectation: Sendable {
        package let plan: ExpectationPlan
        package let words: String
        /// `file:line:column`.
        package let place: String

        /// A fresh check for one run.
        package func check() -> any Check { plan.check(words: words, place: place) }
    }

    /// An invariant that this scenario cannot hold, and why.
    package struct Excuse: Sendable {
        package let rule: String
        package let reason: String
    }

    /// From the bytes of a scenario file; all mistakes in it come in one error. A file with a
    /// matrix is several scenarios; `parts` reads what it includes, by its path.
    package static func cases(
        _ bytes: [UInt8], path: String, parts: @escaping (String) -> [UInt8]? = { _ in nil }
    ) throws(ScenarioError) -> [Scenario] {
        try ScenarioReader.cases(bytes, path: path, parts: parts)
    }

    /// From text that stood in files once, such as those in the first event of a log; of several
    /// cases the one that is named, or the first.
    package static func read(
        text: String, path: String, parts: [IncludedPart] = [], variant: String? = nil
    ) throws(ScenarioError) -> Scenario {
        let cases = try cases(Array(text.utf8), path: path) { path in
            parts.first { $0.path == path }.map { Array($0.text.utf8) }
        }
        return cases.first { $0.variant == variant } ?? cases[0]
    }

    /// How the names of files end that scenarios include and that are none themselves.
    package static let partEnding = IncludedTree.ending

    /// The files of a scenario as they were read.
    struct Source {
        var text: String
        var path: String
        var parts: [IncludedPart]
    }

    /// `nil` if something that every scenario needs is missing; the keys have said so then.
    init?(_ draft: ScenarioDraft, source: Source, _ one: Matrix.Case) {
        guard let name = draft.name, let why = draft.why,
            let interfaces = draft.links.interfaces(), let others = draft.otherDevices,
            !draft.files.isEmpty,
            draft.ownApp.counts != ItemCounts()
        else { return nil }
        self.name = one.values.isEmpty ? name : "\(name) [\(one.label)]"
        self.why = why
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
        timeline = draft.timeline
        limit = draft.limit
        expectations = draft.expectations
        sometimes = draft.sometimes
        excuses = draft.excuses
        mustFail = draft.mustFail
        text = source.text
        path = source.path
        parts = source.parts
        variant = one.words
    }

    /// All apps, in the order in which they are counted.
    var apps: [PlannedApp] { device.apps + otherDevices.flatMap(\.plan.apps) }

    /// What the first app of the first phone has, and does.
    package var files: [PlannedFile] { device.apps[0].files }
    package var sessions: [PlannedSession] { device.apps[0].sessions }
    package var app: AppPlan { device.apps[0].app }

    /// How many the apps add at their first launches; others may follow when one hears of
    /// something.
    package var sessionsAtLaunch: Int {
        apps.reduce(0) { $0 + $1.sessions.count - $1.app.later(.queue).count }
    }

    /// Of all apps.
    package var sessionCount: Int { apps.reduce(0) { $0 + $1.sessions.count } }

    package var appCount: Int { apps.count }

    /// What those beside the first app and the first phone are called, if there are any.
    package var names: RunNames? {
        let names = RunNames(apps: apps.compactMap(\.name), phones: otherDevices.map(\.name))
        return names == RunNames() ? nil : names
    }

    /// That of its only run, or of the first.
    package var seed: UInt64 { seeds[0] }

    /// The run that this scenario asks for, with its own seed or another; `ties` perturbs ties.
    package func plan(seed: UInt64? = nil, ties: UInt64? = nil) -> RunPlan {
        let seed = seed ?? self.seed
        return RunPlan(
            name: name, seed: seed, ties: ties, device: device, otherDevices: otherDevices,
            interfaces: interfaces, network: network, tcp: tcp, crossTraffic: crossTraffic,
            faults: faults, timeline: timeline(seed: seed), limit: limit)
    }

    /// What is drawn is drawn for this run; what has a time stands in the order of the times.
    private func timeline(seed: UInt64) -> [TimelineEntry] {
        timeline.enumerated().flatMap { index, entry in
            entry.entries(number: index + 1, seed: seed, limit: limit)
        }
    }
}

/// Gives the files of all apps versions of their own: a published object tells by them whose it is.
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
