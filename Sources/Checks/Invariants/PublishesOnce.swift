import RunLog

/// S8: "One logical transfer publishes at most once, also when the final answer is lost or the
/// executor changes."
/// A repeated request has the key of the first one. A server with a fault that ignores keys may
/// publish again: that is excused, with a reason. An operation that is retried after its file has
/// changed is another logical transfer.
struct PublishesOnce: Check {
    private(set) var watch = Watch()
    private var excused = Watch()
    /// Objects for which the server ignored a key.
    private var keyless: Set<String> = []
    private var destinations: [TransferName: String] = [:]
    /// The number of accepted transfers to each object, and of its publications.
    private var aimed: [String: Int] = [:]
    private var published: [String: Int] = [:]
    /// The transfer of each resource, and the resource by which each transfer was published.
    private var transfers: [ResourceName: TransferName] = [:]
    private var outcomes: [TransferName: ResourceName] = [:]
    /// Unfinished uploads that a fault made the server deny.
    private var denied: Set<ResourceName> = []
    private var items: [ItemName: [TransferName]] = [:]
    private var completed: Set<ItemName> = []
    /// The number of changes of each file, and what it was when an operation last began.
    private var changes: [AppFile: Int] = [:]
    private var sources: [ItemName: (file: AppFile, changes: Int)] = [:]
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// Transfers that are published and not yet complete, and whether their process has died since.
    private var unanswered: [TransferName: Bool] = [:]

    /// A file in the container of an app.
    private struct AppFile: Hashable, Sendable {
        var app: UInt16?
        var path: String
    }

    var rule: String { "S8" }
    var statement: String { "a transfer publishes its object at most once" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        excused.step(to: event)
        switch event.fact {
        case .engine(.accepts(let item, _, let accepted)):
            items[item] = accepted.map(\.transfer)
            for transfer in accepted { aim(transfer) }
            if item.facade == .operations, let source = accepted.first?.source {
                let file = AppFile(app: event.app, path: source)
                sources[item] = (file, changes[file, default: 0])
            }
        // Each added path is a new transfer, even if an earlier one was lost half-way (P4).
        case .queue(.pathAdded(_, let path)): aim(path)
        case .engine(.sends(let transfer, let resource, _, _, _)),
            .engine(.resumes(let transfer, let resource, _)):
            transfers[resource] = transfer
        case .engine(.completes(let transfer)): unanswered[transfer] = nil
        case .engine(.attempt(let item, _)): weigh(item)
        case .device(.appKilled), .device(.appCrashed), .daemon(.store(.opened, _)):
            unanswered = unanswered.mapValues { _ in true }
        case .engine(.moves(let item, _, .completed, _)): completed.insert(item)
        case .engine(.found(let item, .completed)): completed.insert(item)
        case .queue(.asked(let item, .run)): runsAgain(item)
        case .file(.stands(let path, _, _)), .file(.touched(let path)):
            changes[AppFile(app: event.app, path: path), default: 0] += 1
        case .operations(.asked(let item, .retry)): retries(item)
        case .server(.refused("HEAD", let target, let status, _))
        where [403, 404, 410].contains(status):
            deny(ResourceName(target))
        case .server(.fault(_, _, _, let request?, let effect))
        where effect.contains("Idempotency-Key"):
            if let object = Self.object(of: request) { keyless.insert(object) }
        case .server(.published(let resource, let object, _, _)):
            judge(resource, publishing: object)
        default: break
        }
    }

    func verdict() -> Verdict.Answer {
        if watch.breach == nil, let breach = excused.breach {
            return .excused(
                because:
                    "a fault made the server ignore the key that identifies a repeated request",
                breach)
        }
        return watch.answer(
            notApplicableBecause: hasEvidence ? nil : "no accepted transfer published anything")
    }

    var clauses: [DecidedClause] { evidence.all }

    /// Notes the publication of a transfer that is sent whole, for which the server's name of the
    /// upload says nothing. With several transfers to one object it is anybody's.
    private mutating func noteOneShot(publishing object: String) {
        // any order: there is one
        let aiming = destinations.filter { $0.value == object }
        guard aiming.count == 1, let transfer = aiming.first?.key, !keyless.contains(object),
            transfer.facade == .operations || transfer.facade == .background
        else { return }
        unanswered[transfer] = false
    }

    /// Counts an attempt for something that is already published, because the answer was lost.
    private mutating func weigh(_ item: ItemName) {
        for transfer in items[item] ?? [] {
            guard let wasKilled = unanswered[transfer] else { continue }
            switch transfer.facade {
            case .queue, .bucket: evidence.decides(.upload)
            case .operations: evidence.decides(.oneShot)
            case .background: evidence.decides(.task)
            }
            evidence.decides(.newProcess, if: wasKilled)
        }
    }

    /// Returns the object of a request such as `PUT /once/in/a.mov?user=me`.
    private static func object(of request: String) -> String? {
        guard let target = request.split(separator: " ").last else { return nil }
        let steps = target.prefix { $0 != "?" }.split(separator: "/")
        return steps.dropFirst().joined(separator: "/")
    }

    private mutating func aim(_ accepted: AcceptedTransfer) {
        guard destinations[accepted.transfer] == nil, accepted.isDownload != true else { return }
        destinations[accepted.transfer] = accepted.destination
        aimed[accepted.destination, default: 0] += 1
    }

    private mutating func judge(_ resource: ResourceName, publishing object: String) {
        guard let wanted = aimed[object] else { return }
        hasEvidence = true
        published[object, default: 0] += 1
        noteOneShot(publishing: object)
        if denied.remove(resource) != nil {
            aimed[object, default: 0] += 1
        } else if let transfer = transfers[resource] {
            unanswered[transfer] = false
            if let earlier = outcomes[transfer] {
                return watch.fall(
                    expected:
                        "\(transfer) publishes \(object) only once, and has done so by \(earlier)",
                    seen: "it is also published by \(resource)")
            }
            outcomes[transfer] = resource
        }
        guard let count = published[object], count > wanted else { return }
        let times = ExpectationPlan.Times.exactly
        let expected = "\(object) is published \(times(wanted)), once for each transfer to it"
        let seen = "with \(resource) it is published \(times(count))"
        if keyless.contains(object) {
            excused.fall(expected: expected, seen: seen)
        } else {
            watch.fall(expected: expected, seen: seen)
        }
    }

    /// Notes that a fault made the server deny an upload: the client rightly sends it again.
    private mutating func deny(_ resource: ResourceName) {
        guard let transfer = transfers[resource] else { return }
        // Bytes of a dead process may complete it yet.
        guard outcomes[transfer] == resource else { return _ = denied.insert(resource) }
        outcomes[transfer] = nil
        if let destination = destinations[transfer] { aimed[destination, default: 0] += 1 }
    }

    /// Notes that the app retries an operation: it is a new transfer if its file has changed.
    private mutating func retries(_ item: ItemName) {
        guard let source = sources[item] else { return }
        let count = changes[source.file, default: 0]
        guard count != source.changes else { return }
        sources[item]?.changes = count
        renew(item)
    }

    /// Notes that the app runs a completed item: each of its files is a new transfer.
    private mutating func runsAgain(_ item: ItemName) {
        guard completed.remove(item) != nil else { return }
        renew(item)
    }

    private mutating func renew(_ item: ItemName) {
        for transfer in items[item] ?? [] {
            outcomes[transfer] = nil
            if let destination = destinations[transfer] { aimed[destination, default: 0] += 1 }
        }
    }
}

extension PublishesOnce {
    enum Clause: String, ClauseName {
        /// Decided by a new attempt for an upload that the server has published, although its
        /// answer was lost: an engine that begins anew publishes twice.
        case upload = "lost answer"
        /// Decided by such an attempt of an upload operation: only the key of the repeated request
        /// tells the server that it has the body.
        case oneShot = "lost answer of an operation"
        /// Decided by such an attempt of a background session's task.
        case task = "lost answer of a task"
        /// Decided by such an attempt after a restart of the process.
        case newProcess = "lost answer and a new process"

        var sentence: String {
            switch self {
            case .upload: "an upload whose last answer was lost is not published again"
            case .oneShot: "an operation whose answer was lost is not published again"
            case .task: "a task whose answer was lost is not published again"
            case .newProcess: "an upload that a dead process had finished is not published again"
            }
        }
    }
}
