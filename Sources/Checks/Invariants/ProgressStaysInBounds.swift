import Quantities
import RunLog

/// S5: "0 ≤ acknowledged ≤ total; reported progress never goes back within an attempt; a reset is
/// an event of its own."
struct ProgressStaysInBounds: Invariant {
    private(set) var watch = Watch()
    private var lengths: [ResourceName: ByteCount] = [:]
    private var acknowledged: [ResourceName: ByteCount] = [:]
    /// Acknowledged uploads that are neither published nor discarded.
    private var unfinished: Set<ResourceName> = []
    /// The progress of each open file of an attempt. One source may go to two places under one
    /// name.
    private var reached: [ItemName: [String: Reach]] = [:]
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    private var owners: [TransferName: ItemName] = [:]
    /// Items whose present attempt has resumed behind byte 0.
    private var resumed: Set<ItemName> = []
    private var whole = ProgressOfSessions()
    private var bytes = BytesOfCallbacks()

    private struct Reach: Sendable {
        var done = ByteCount.zero
        var total = ByteCount.zero
        /// The number of open files with this name. If there are two, their progress cannot be told
        /// apart.
        var spans = 0
        var isShared = false

        mutating func begin() {
            spans += 1
            isShared = isShared || spans > 1
        }
    }

    var rule: String { "S5" }
    var statement: String {
        "neither acknowledged nor reported progress goes back or beyond the total"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        do throws(Slip) {
            try whole.read(event)
            try bytes.read(event)
        } catch { watch.fall(error) }
        switch event.fact {
        case .server(.created(let resource, _, let length)): lengths[resource] = length
        case .server(.acknowledged(let resource, let offset)): judge(resource, having: offset)
        case .server(let fact) where fact.losesPower:
            evidence.decides(.outlivesPower, if: !unfinished.isEmpty)
        case .server(.discarded(let resource, ServerFact.lostWithPower)): lose(resource)
        case .server(.published(let resource, _, _, _)), .server(.discarded(let resource, _)):
            unfinished.remove(resource)
            // Forgets uploads of a long-running server; a simulated one reports them again.
            if reached.isEmpty {
                lengths[resource] = nil
                acknowledged[resource] = nil
            }
        case .queue(.callback(let session, .willStartRunning)): reached[session] = [:]
        case .engine(.attempt(let item, _)):
            reached[item] = [:]
            resumed.remove(item)
        case .engine(.accepts(let item, _, let transfers)):
            for transfer in transfers { owners[transfer.transfer] = item }
        case .engine(.resumes(let transfer, _, let offset)):
            if offset > .zero, let item = owners[transfer] { resumed.insert(item) }
        case .engine(.startsOver(let transfer, _)):
            if let item = owners[transfer] { resumed.remove(item) }
            guard transfer.facade == .operations else { return }
            let operation = ItemName(transfer.number, of: .operations)
            // any order: whether there is any
            let hadProgress = reached[operation]?.contains { $0.value.done > .zero } ?? false
            evidence.decides(.reset, if: hadProgress)
            reached[operation] = [:]
        case .operations(.callback(let operation, .progress(let done, let total))):
            judge(operation, moving: "the file", to: done, of: total)
        case .entries(.callback(let item, .progress(let done, let total))),
            .engine(.hasMoved(let item, let done, let total)),
            .background(.callback(let item, .didSendBodyData(_, let done, let total))),
            .background(.callback(let item, .didWriteData(_, let done, let total))):
            judge(item, moving: "the body", to: done, of: total)
        case .queue(.callback(let session, .progress(let name, let done, let total, _))):
            judge(session, moving: name, to: done, of: total)
        case .queue(.callback(let session, .didStartFile(let name))):
            reached[session, default: [:]][name, default: Reach()].begin()
        case .queue(.callback(let session, .didStopFile(let name))): end(name, of: session)
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no progress was acknowledged or reported" }

    var clauses: [DecidedClause] { evidence.all + whole.evidence.all + bytes.evidence.all }

    private mutating func judge(_ resource: ResourceName, having offset: ByteCount) {
        hasEvidence = true
        let before = acknowledged[resource]
        evidence.decides(.acknowledgedTotal, if: offset == lengths[resource])
        evidence.decides(.acknowledgedAgain, if: before ?? .zero > .zero)
        if let length = lengths[resource], offset > length {
            return watch.fall(
                expected: "at most \(length.bytes) bytes of \(resource) are acknowledged",
                seen: "\(offset.bytes) are")
        }
        if let before, offset < before {
            return watch.fall(
                expected: "at least \(before.bytes) bytes of \(resource), as acknowledged before",
                seen: "\(offset.bytes) are acknowledged")
        }
        acknowledged[resource] = offset
        if let length = lengths[resource], offset < length { unfinished.insert(resource) }
    }

    /// Judges an upload of which a loss of power has left nothing.
    private mutating func lose(_ resource: ResourceName) {
        unfinished.remove(resource)
        guard let before = acknowledged[resource] else { return }
        watch.fall(
            expected:
                "\(resource), of which \(before.bytes) bytes were acknowledged, outlives a loss of "
                + "power",
            seen: "nothing of it is left")
    }

    private mutating func judge(
        _ session: ItemName, moving name: String, to done: ByteCount, of total: ByteCount
    ) {
        hasEvidence = true
        var reach = reached[session]?[name] ?? Reach()
        let before = reach.isShared ? .zero : reach.done
        if resumed.contains(session) {
            evidence.decides(.reportedTotal, if: done == total)
            evidence.decides(.reportedAgain, if: before > .zero)
        }
        guard before <= done, done <= total else {
            return watch.fall(
                expected: "progress of \(name) from \(before.bytes) to \(total.bytes)",
                seen: "\(session) has moved \(done.bytes) bytes")
        }
        reach.done = done
        reach.total = total
        reached[session, default: [:]][name] = reach
    }

    private mutating func end(_ name: String, of session: ItemName) {
        guard var reach = reached[session]?[name] else { return }
        reach.spans -= 1
        let isOver = reach.done == reach.total || reach.isShared
        reached[session]?[name] = isOver && reach.spans <= 0 ? nil : reach
    }
}

extension ProgressStaysInBounds {
    enum Clause: String, ClauseName {
        /// Decided by each acknowledgement of the last byte.
        case acknowledgedTotal = "acknowledged total"
        /// Decided by each acknowledgement of an upload that already had bytes.
        case acknowledgedAgain = "acknowledged again"
        /// Decided by a loss of the server's power while it has an acknowledged upload.
        case outlivesPower = "outlives a loss of power"
        /// Decided by the last byte reported in an attempt that resumed: an engine that counts the
        /// acknowledged bytes twice exceeds the total.
        case reportedTotal = "reported total"
        /// Decided by later progress in an attempt that resumed: an engine that counts only the
        /// bytes of this attempt goes back.
        case reportedAgain = "reported again"
        /// Decided by an operation that starts over after some progress.
        case reset

        var sentence: String {
            switch self {
            case .acknowledgedTotal: "a server acknowledges at most the total"
            case .acknowledgedAgain: "what a server has acknowledged does not shrink"
            case .outlivesPower: "an acknowledged upload outlives a loss of the server's power"
            case .reportedTotal: "reported progress ends at the total, also after a resume"
            case .reportedAgain: "reported progress does not go back within an attempt"
            case .reset: "progress goes back to 0 only after an announced start over"
            }
        }
    }
}
