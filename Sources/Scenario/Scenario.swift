package import Checks
package import DocrootServer
package import LinkModels
package import Quantities
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
    package let uplink: LinkPlan
    package let downlink: LinkPlan
    package let tcp: TCPSettings
    package let crossTraffic: CrossTraffic
    package let files: [PlannedFile]
    package let sessions: [PlannedSession]
    package let faults: [FaultRule]
    package let timeline: [ScheduledEntry]
    package let limit: TimeSpan
    package let expectations: [Expectation]
    package let excuses: [Excuse]
    /// A canary: the run is green only if this check falls, and no other.
    package let mustFail: String?
    /// The file as it was read, and where it stood: enough to read the scenario again.
    package let text: String
    package let path: String

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

    /// From the bytes of a scenario file; all mistakes in it come in one error.
    package static func read(_ bytes: [UInt8], path: String) throws(ScenarioError) -> Scenario {
        try ScenarioReader.read(bytes, path: path)
    }

    /// From text that stood in a file once, such as the one in the first event of a log.
    package static func read(text: String, path: String) throws(ScenarioError) -> Scenario {
        try ScenarioReader.read(Array(text.utf8), path: path)
    }

    /// `nil` if something that every scenario needs is missing; the keys have said so then.
    init?(_ draft: ScenarioDraft, text: String, path: String) {
        guard let name = draft.name, let why = draft.why,
            let uplink = draft.uplink, let downlink = draft.downlink,
            let there = uplink.delay, let back = downlink.delay,
            let uplinkPlan = uplink.plan(name: "uplink", roundTrip: there + back),
            let downlinkPlan = downlink.plan(name: "downlink", roundTrip: there + back),
            !draft.files.isEmpty, !draft.sessions.isEmpty
        else { return nil }
        self.name = name
        self.why = why
        cites = draft.cites
        tags = draft.tags
        seeds = draft.seeds
        device = draft.device
        self.uplink = uplinkPlan
        self.downlink = downlinkPlan
        tcp = draft.tcp
        crossTraffic = CrossTraffic(
            streams: uplink.streams.map { .init(.uplink, $0) }
                + downlink.streams.map { .init(.downlink, $0) },
            competitions: uplink.competitions(.uplink) + downlink.competitions(.downlink))
        files = draft.files
        sessions = draft.sessions
        faults = draft.faults
        timeline = draft.timeline
        limit = draft.limit
        expectations = draft.expectations
        excuses = draft.excuses
        mustFail = draft.mustFail
        self.text = text
        self.path = path
    }

    /// That of its only run, or of the first.
    package var seed: UInt64 { seeds[0] }

    /// The run that this scenario asks for, with its own seed or another; `ties` perturbs ties.
    package func plan(seed: UInt64? = nil, ties: UInt64? = nil) -> RunPlan {
        let seed = seed ?? self.seed
        return RunPlan(
            name: name, seed: seed, ties: ties, device: device, files: files, uplink: uplink,
            downlink: downlink, tcp: tcp, crossTraffic: crossTraffic, sessions: sessions,
            faults: faults, timeline: timeline(seed: seed), limit: limit)
    }

    /// What is drawn is drawn for this run; what has a time stands in the order of the times.
    private func timeline(seed: UInt64) -> [TimelineEntry] {
        timeline.enumerated().flatMap { index, entry in
            entry.entries(number: index + 1, seed: seed, limit: limit)
        }
    }
}
