import RunLog

/// L5: "Lists and the server's staging area are reclaimed in the end."
/// An upload that its transfer has abandoned is discarded. An upload that an unfinished session
/// still needs may stay. Only the server's expiry can discard an upload that the app does not know,
/// because the answer was lost or its disk did not keep it.
struct LeftoversAreReclaimed: Invariant {
    private(set) var watch = Watch()
    private var owners: [ResourceName: TransferName] = [:]
    /// Abandoned uploads in order, so that the first one is named.
    private var left: [ResourceName] = []
    private var current: [TransferName: ResourceName] = [:]
    /// Published or discarded uploads; the server holds nothing of them.
    private var settled: Set<ResourceName> = []
    private var disks = DiskTroubles()
    /// Uploads continued while a disk refused changes, each with its app. The next process of the
    /// app may not know the upload. The system keeps background tasks elsewhere.
    private var unkept: [ResourceName: UInt16] = [:]
    private var lists = OperationLists()
    private var entries = EntryLists()
    private var terminated = TerminatedUploads()
    private var parts = LeftParts()
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()

    var rule: String { "L5" }
    var statement: String {
        "by the run's end the server holds no abandoned upload, every ended operation has left "
            + "its list in time, every ended transfer has left its manager's list, and no download "
            + "that is gone has left a partial file"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        do throws(Slip) { try lists.read(event) } catch { watch.fall(error) }
        do throws(Slip) { try entries.read(event) } catch { watch.fall(error) }
        do throws(Slip) { try terminated.read(event) } catch { watch.fall(error) }
        do throws(Slip) { try parts.read(event) } catch { watch.fall(error) }
        switch event.fact {
        case .operations, .entries: hasEvidence = true
        case .engine(.sends(let transfer, let resource, _, _, _)),
            .engine(.resumes(let transfer, let resource, _)):
            hasEvidence = true
            own(resource, by: transfer)
            if disks.refuseChanges, transfer.facade != .background {
                unkept[resource] = event.app ?? 1
            }
        case .engine(.startsOver(let transfer, _)):
            let isHeld = current[transfer].map { owners[$0] == transfer } ?? false
            evidence.decides(.abandoned, if: isHeld)
        case .device(.disk(let step, let device)): disks.read(step, of: device)
        case .device(.appKilled), .device(.appCrashed):
            // any order: each is forgotten by itself
            for (resource, app) in unkept where app == event.app ?? 1 { forget(resource) }
        case .server(.published(let resource, _, _, _)), .server(.discarded(let resource, _)):
            forget(resource)
        // The server denies having it, so only the server's expiry can discard it.
        case .server(.refused(_, let target, let status, _)) where [404, 410].contains(status):
            forget(ResourceName(named: target))
        // The server has refused to delete it, so nobody needs to ask again.
        case .server(.refused("DELETE", let target, 403, _)): forget(ResourceName(named: target))
        case .server(let fact) where fact.comesBack: evidence.decides(.leftByProcess)
        case .server(.leftOver(let file)):
            watch.fall(
                expected: "the staging area holds only files of uploads that the server knows",
                seen: "it holds \(file) when the run ends")
        case .run(.ended): judge()
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? watch.missingEnd : "no bytes were staged" }

    var clauses: [DecidedClause] {
        evidence.all + terminated.evidence.all + lists.evidence.all + entries.evidence.all
            + parts.evidence.all
    }

    private mutating func own(_ resource: ResourceName, by transfer: TransferName) {
        if let before = current[transfer], before != resource, owners[before] != nil {
            left.append(before)
        }
        current[transfer] = resource
        if !settled.contains(resource) { owners[resource] = transfer }
    }

    /// Forgets an upload, even before its transfer has sent anything to it.
    private mutating func forget(_ resource: ResourceName) {
        owners[resource] = nil
        settled.insert(resource)
        left.removeAll { $0 == resource }
    }

    private mutating func judge() {
        guard let resource = left.first, let transfer = owners[resource] else { return }
        let now = current[transfer].map { ", which continues with \($0)" } ?? ""
        watch.fall(
            expected: "\(resource) is discarded after \(transfer) has abandoned it",
            seen: "the server still holds it\(now) when the run ends")
    }
}

extension LeftoversAreReclaimed {
    enum Clause: String, ClauseName {
        /// Decided by each start over while the server holds an upload of the transfer.
        case abandoned = "abandoned upload"
        /// Decided by each return of a server: its last process may have left files that belong to
        /// no upload.
        case leftByProcess = "left by a process"

        var sentence: String {
            switch self {
            case .abandoned: "an upload that was abandoned is discarded"
            case .leftByProcess: "a server that comes back clears what its last process has left"
            }
        }
    }
}

extension ResourceName {
    /// Takes the upload's name from a request target; Kii has it within the address of the object.
    fileprivate init(named target: String) {
        let steps = target.split(separator: "/")
        if steps.first == "api", let place = steps.lastIndex(of: "uploads"),
            place + 1 < steps.count
        {
            self.init("/api/uploads/\(steps[place + 1])")
        } else {
            self.init(target)
        }
    }
}
