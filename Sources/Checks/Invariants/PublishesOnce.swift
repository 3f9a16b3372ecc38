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
    private var items: [ItemName: [TransferName]] = [:]
    private var completed: Set<ItemName> = []
    /// The number of changes of each file, and what it was when an operation last began.
    private var changes: [AppFile: Int] = [:]
    private var sources: [ItemName: (file: AppFile, changes: Int)] = [:]
    private var hasEvidence = false

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
        if let transfer = transfers[resource] {
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

    /// Notes that a fault made the server deny a published upload: the client rightly sends it
    /// again.
    private mutating func deny(_ resource: ResourceName) {
        guard let transfer = transfers[resource], outcomes[transfer] == resource else { return }
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
