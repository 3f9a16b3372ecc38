package import RunLog

/// S8: "One logical transfer publishes at most once, also when the final answer is lost or the
/// executor changes."
///
/// A request that is made again has the key of the first one. A server that a fault lets ignore
/// keys may publish what it brings once more: that is excused, and said so.
package struct PublishesOnce: Check {
    private var watch = Watch()
    private var excused = Watch()
    /// Objects of which a key was ignored.
    private var keyless: Set<String> = []
    private var destinations: [TransferName: String] = [:]
    /// How many accepted transfers aim at an object, and how often it was published.
    private var aimed: [String: Int] = [:]
    private var published: [String: Int] = [:]
    /// Which transfer's bytes went into a resource, and through which one a transfer is published.
    private var transfers: [ResourceName: TransferName] = [:]
    private var outcomes: [TransferName: ResourceName] = [:]
    private var items: [ItemName: [TransferName]] = [:]
    private var completed: Set<ItemName> = []
    private var hasEvidence = false

    package init() {}

    package var rule: String { "S8" }
    package var statement: String { "a transfer publishes its object at most once" }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        excused.step(to: event)
        switch event.fact {
        case .engine(.accepts(let item, _, let accepted)):
            items[item] = accepted.map(\.transfer)
            for transfer in accepted { aim(transfer) }
        // Each is a transfer of its own, also where the one before was lost half-way (P4).
        case .queue(.pathAdded(_, let path)): aim(path)
        case .engine(.sends(let transfer, let resource, _, _, _)),
            .engine(.resumes(let transfer, let resource, _)):
            transfers[resource] = transfer
        case .engine(.moves(let item, _, .completed, _)): completed.insert(item)
        case .engine(.found(let item, .completed)): completed.insert(item)
        case .queue(.asked(let item, .run)): runsAgain(item)
        case .server(.refused("HEAD", let target, let status, _)) where [404, 410].contains(status):
            deny(ResourceName(target))
        case .server(.fault(_, _, _, let request?, let effect))
        where effect.contains("Idempotency-Key"):
            if let object = Self.object(of: request) { keyless.insert(object) }
        case .server(.published(let resource, let object, _, _)):
            judge(resource, publishing: object)
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        if watch.breach == nil, let breach = excused.breach {
            return .excused(
                because: "a fault let the server ignore the key by which it knows a request again",
                breach)
        }
        return watch.answer(
            notApplicableBecause: hasEvidence ? nil : "no accepted transfer published anything")
    }

    /// What a request such as `PUT /once/in/a.mov?user=me` is about, behind its front end.
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
                    expected: "\(transfer) has published \(object) by \(earlier), and does so once",
                    seen: "it is published by \(resource), too")
            }
            outcomes[transfer] = resource
        }
        guard let count = published[object], count > wanted else { return }
        let expected = "\(object) is published \(times(wanted)), once for each transfer to it"
        let seen = "\(resource) makes it \(times(count))"
        if keyless.contains(object) {
            excused.fall(expected: expected, seen: seen)
        } else {
            watch.fall(expected: expected, seen: seen)
        }
    }

    /// A server that says of what it has published that it knows nothing of it, as a fault makes it
    /// do, gets it again: nobody could know better.
    private mutating func deny(_ resource: ResourceName) {
        guard let transfer = transfers[resource], outcomes[transfer] == resource else { return }
        outcomes[transfer] = nil
        if let destination = destinations[transfer] { aimed[destination, default: 0] += 1 }
    }

    /// A completed item that the app runs is a new transfer of each of its files.
    private mutating func runsAgain(_ item: ItemName) {
        guard completed.remove(item) != nil else { return }
        for transfer in items[item] ?? [] {
            outcomes[transfer] = nil
            if let destination = destinations[transfer] { aimed[destination, default: 0] += 1 }
        }
    }

    private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
