package import RunLog

/// L5: "Lists and the server's staging area are reclaimed in the end."
///
/// An upload that a transfer has left for another, or for good, is discarded: nobody will come back
/// for it. What an unfinished session still counts on may stay; and of what the app never heard,
/// since the answer was lost, or what its disk did not keep, only the server's own expiry can know.
package struct LeftoversAreReclaimed: Check {
    private var watch = Watch()
    private var owners: [ResourceName: TransferName] = [:]
    /// In the order in which they were left, so that the first is named.
    private var left: [ResourceName] = []
    private var current: [TransferName: ResourceName] = [:]
    /// Published or discarded: nothing is held of these, whoever still asks for them.
    private var settled: Set<ResourceName> = []
    private var disks = DiskTroubles()
    /// What was gone on with while a disk took no changes, by the app: its next process may know
    /// nothing of it. The system keeps what it does for an app somewhere else.
    private var unkept: [ResourceName: UInt16] = [:]
    private var lists = OperationLists()
    private var entries = EntryLists()
    private var terminated = TerminatedUploads()
    private var hasEvidence = false

    package init() {}

    package var rule: String { "L5" }
    package var statement: String {
        "by the run's end the server holds no upload that its transfer has left, an operation that "
            + "has ended leaves its list in time, and a resumable transfer its manager's"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        do throws(OperationLists.Slip) { try lists.read(event) } catch {
            watch.fall(expected: error.expected, seen: error.seen)
        }
        do throws(EntryLists.Slip) { try entries.read(event) } catch {
            watch.fall(expected: error.expected, seen: error.seen)
        }
        do throws(TerminatedUploads.Slip) { try terminated.read(event) } catch {
            watch.fall(expected: error.expected, seen: error.seen)
        }
        switch event.fact {
        case .operations, .entries: hasEvidence = true
        case .engine(.sends(let transfer, let resource, _, _, _)),
            .engine(.resumes(let transfer, let resource, _)):
            hasEvidence = true
            own(resource, by: transfer)
            if disks.refuseChanges, transfer.facade != .background {
                unkept[resource] = event.app ?? 1
            }
        case .device(.disk(let step, let device)): disks.read(step, of: device)
        case .device(.appKilled), .device(.appCrashed):
            // any order: each is forgotten by itself
            for (resource, app) in unkept where app == event.app ?? 1 { forget(resource) }
        case .server(.published(let resource, _, _, _)), .server(.discarded(let resource, _)):
            forget(resource)
        // It is said to be there no more: only the server's own expiry can know better.
        case .server(.refused(_, let target, let status, _)) where [404, 410].contains(status):
            forget(ResourceName(named: target))
        // It was asked to, and would not: nobody may ask again.
        case .server(.refused("DELETE", let target, 403, _)): forget(ResourceName(named: target))
        case .run(.ended): judge()
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: hasEvidence ? watch.missingEnd : "nothing was staged")
    }

    private mutating func own(_ resource: ResourceName, by transfer: TransferName) {
        if let before = current[transfer], before != resource, owners[before] != nil {
            left.append(before)
        }
        current[transfer] = resource
        if !settled.contains(resource) { owners[resource] = transfer }
    }

    /// Also before its transfer has sent anything to it.
    private mutating func forget(_ resource: ResourceName) {
        owners[resource] = nil
        settled.insert(resource)
        left.removeAll { $0 == resource }
    }

    private mutating func judge() {
        guard let resource = left.first, let transfer = owners[resource] else { return }
        let now = current[transfer].map { ", which goes on with \($0)" } ?? ""
        watch.fall(
            expected: "\(resource) is discarded after \(transfer) has left it",
            seen: "the server still holds it\(now) when the run ends")
    }
}

extension ResourceName {
    /// The upload of which a request speaks: Kii's has it within the address of its object.
    fileprivate init(named target: String) {
        let steps = target.split(separator: "/")
        if let place = steps.lastIndex(of: "uploads"), place + 1 < steps.count {
            self.init("/api/uploads/\(steps[place + 1])")
        } else {
            self.init(target)
        }
    }
}
