import Quantities
package import RunLog

/// S5: "0 ≤ acknowledged ≤ total; reported progress never goes back within an attempt; a reset is
/// an event of its own."
package struct ProgressStaysInBounds: Check {
    private var watch = Watch()
    private var lengths: [ResourceName: ByteCount] = [:]
    private var acknowledged: [ResourceName: ByteCount] = [:]
    /// How far each file of an attempt has come, without those that came to their end: one source
    /// may go to two places under one name.
    private var reached: [ItemName: [String: Reach]] = [:]
    private var hasEvidence = false

    private struct Reach: Sendable {
        var done: ByteCount
        var total: ByteCount
    }

    package init() {}

    package var rule: String { "S5" }
    package var statement: String {
        "neither what is acknowledged nor what is reported goes back or beyond the total"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .server(.created(let resource, _, let length)): lengths[resource] = length
        case .server(.acknowledged(let resource, let offset)): judge(resource, having: offset)
        case .server(.published(let resource, _, _, _)), .server(.discarded(let resource, _)):
            // A server that stands for days must not be remembered whole; ours are told once more.
            if reached.isEmpty {
                lengths[resource] = nil
                acknowledged[resource] = nil
            }
        case .queue(.callback(let session, .willStartRunning)): reached[session] = [:]
        case .engine(.attempt(let item, _)): reached[item] = [:]
        case .operations(.callback(let operation, .progress(let done, let total))):
            judge(operation, moving: "the file", to: done, of: total)
        case .background(.callback(let task, .didSendBodyData(let sent, let expected))):
            judge(task, moving: "the body", to: sent, of: expected)
        case .background(.callback(let task, .didWriteData(let written, let expected))):
            judge(task, moving: "the body", to: written, of: expected)
        case .queue(.callback(let session, .progress(let name, let done, let total))):
            judge(session, moving: name, to: done, of: total)
        case .queue(.callback(let session, .didStopFile(let name))):
            if let reach = reached[session]?[name], reach.done == reach.total {
                reached[session]?[name] = nil
            }
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: hasEvidence ? nil : "nothing was acknowledged or reported")
    }

    private mutating func judge(_ resource: ResourceName, having offset: ByteCount) {
        hasEvidence = true
        if let length = lengths[resource], offset > length {
            return watch.fall(
                expected: "at most \(length.bytes) bytes of \(resource) are acknowledged",
                seen: "\(offset.bytes) are")
        }
        if let before = acknowledged[resource], offset < before {
            return watch.fall(
                expected: "at least \(before.bytes) bytes of \(resource), as acknowledged before",
                seen: "\(offset.bytes) are acknowledged")
        }
        acknowledged[resource] = offset
    }

    private mutating func judge(
        _ session: ItemName, moving name: String, to done: ByteCount, of total: ByteCount
    ) {
        hasEvidence = true
        let before = reached[session]?[name]?.done ?? .zero
        guard before <= done, done <= total else {
            return watch.fall(
                expected: "progress of \(name) from \(before.bytes) to \(total.bytes)",
                seen: "\(session) has moved \(done.bytes) bytes")
        }
        reached[session, default: [:]][name] = Reach(done: done, total: total)
    }
}
