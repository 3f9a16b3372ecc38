import Content
import Quantities
import RunLog

/// S2: "Bytes of two versions of a file are never joined. Resume only when the fingerprint or
/// validator still matches."
/// The log has the content of the app's container, so a resume is judged by the real content. The
/// engine marks a resume as unproven if the session's policy does not compare everything (A15).
/// Such a resume is judged only by the compared parts.
struct VersionsAreNeverJoined: Invariant {
    private(set) var watch = Watch()
    private var standing: [String: FileVersion] = [:]
    /// The version of each file's samples, now and before its last edit.
    private var sampled: [String: (now: FileVersion, before: FileVersion?)] = [:]
    /// The blind spot of the next resume's policy.
    private var blindSpots: [TransferName: ResumeBlindSpot] = [:]
    /// Resources in which a weak policy has joined versions.
    private var unseen: Set<ResourceName> = []
    /// The resume policies of sessions that have another one than the default.
    private var policies: [ItemName: ResumePolicy] = [:]
    private var items: [TransferName: ItemName] = [:]
    private var sources: [TransferName: String] = [:]
    private var lengths: [ResourceName: ByteCount] = [:]
    /// Each transfer's source when the engine last examined it.
    private var inspected: [TransferName: Look] = [:]
    /// The source when bytes were first sent to a resource.
    private var begun: [ResourceName: Look] = [:]
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// The resource to which each transfer last sent bytes, until it is published or discarded.
    private var current: [TransferName: ResourceName] = [:]
    /// The transfers whose source was edited after they had sent bytes.
    private var edited: Set<TransferName> = []

    private struct Look: Hashable, Sendable {
        var version: FileVersion?
        /// The version of its samples.
        var samples: FileVersion?
        var size: ByteCount
        var modified: UInt64

        /// Returns the part of the look that a policy compares.
        func seen(despite spot: ResumeBlindSpot) -> Look {
            var look = self
            look.version = nil
            if spot == .attributes { look.samples = nil }
            return look
        }
    }

    var rule: String { "S2" }
    var subject: RuleSubject? { .content }
    var statement: String {
        "no object joins two versions of a file, and an upload resumes only while its source is "
            + "unchanged"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .file(.stands(let path, let version, _)):
            standing[path] = version
            sampled[path] = (version, sampled[path]?.now)
            // any order: each is marked by itself
            for transfer in current.keys where sources[transfer] == path {
                edited.insert(transfer)
            }
        case .file(.keepsSamples(let path)):
            if let before = sampled[path]?.before { sampled[path]?.now = before }
        case .engine(.accepts(let item, _, _)), .queue(.pathAdded(let item, _)):
            for transfer in event.fact.acceptedTransfers {
                sources[transfer.transfer] = transfer.source
                items[transfer.transfer] = item
            }
        case .engine(.goesBy(let item, let settings)):
            policies[item] = settings.resume
        case .server(.created(let resource, _, let length)): lengths[resource] = length
        // Not every protocol announces the length at the start.
        case .server(.appendEnded(let resource, let staged, complete: true)):
            lengths[resource] = staged
        case .server(.published(let resource, let object, _, let ranges)):
            if !unseen.contains(resource) { judge(object, holding: ranges) }
            settle(resource)
        case .engine(.inspected(let transfer, let size, let modified)):
            let path = sources[transfer] ?? ""
            inspected[transfer] = Look(
                version: standing[path], samples: sampled[path]?.now, size: size,
                modified: modified)
            // A resumable transfer compares content, so a new date is not a change (K5).
            if transfer.facade == .bucket { inspected[transfer]?.modified = 0 }
            if let resource = current[transfer], let before = begun[resource] {
                evidence.decides(.editSeen, if: before != inspected[transfer])
            }
        case .engine(.sends(let transfer, let resource, _, _, _)):
            if begun[resource] == nil { begun[resource] = inspected[transfer] }
            current[transfer] = resource
        case .engine(.isUnproven(let transfer, let spot)):
            if spot == blindSpot(of: transfer) { blindSpots[transfer] = spot }
        case .engine(.resumes(let transfer, let resource, let offset)):
            hasEvidence = true
            judge(transfer, resuming: resource, at: offset)
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no transfer was resumed or published" }

    var clauses: [DecidedClause] { evidence.all }

    /// Counts a published upload whose source was edited under way.
    private mutating func settle(_ resource: ResourceName) {
        // any order: each is looked at by itself
        for (transfer, own) in current where own == resource {
            current[transfer] = nil
            evidence.decides(.editedUnderWay, if: edited.remove(transfer) != nil)
        }
    }

    private mutating func judge(_ object: String, holding ranges: [ContentRange]) {
        // A recorded server may lack the bodies.
        guard let first = ranges.first else { return }
        hasEvidence = true
        guard let other = ranges.first(where: { $0.version != first.version }) else { return }
        watch.fall(
            expected: "\(object) holds bytes of one version of one file",
            seen: "it joins \(first.version) and \(other.version), from byte \(other.offset.bytes)")
    }

    /// Judges a resume. At the end of an upload nothing is added, because only its last answer was
    /// lost.
    private mutating func judge(
        _ transfer: TransferName, resuming resource: ResourceName, at offset: ByteCount
    ) {
        let spot = blindSpots.removeValue(forKey: transfer)
        guard offset > .zero, offset != lengths[resource], var before = begun[resource],
            var now = inspected[transfer], before != now
        else { return }
        // A session that compares all bytes takes no new date for a change.
        if items[transfer].flatMap({ policies[$0] }) == .fullChecksum {
            (before.modified, now.modified) = (0, 0)
            if before == now { return }
        }
        if let spot, before.seen(despite: spot) == now.seen(despite: spot) {
            hasEvidence = true
            evidence.decides(.unproven)
            unseen.insert(resource)
            return
        }
        watch.fall(
            expected:
                "\(transfer) starts over, because its source has changed since \(resource) began",
            seen: "it resumes at \(offset.bytes), with \(Self.words(for: now)) "
                + "behind \(Self.words(for: before))")
    }

    /// Returns what the transfer's policy leaves out, whatever the engine says; `nil` if it
    /// compares everything.
    private func blindSpot(of transfer: TransferName) -> ResumeBlindSpot? {
        if transfer.facade == .background { return .attributes }
        guard transfer.facade == .queue else { return nil }
        return switch items[transfer].flatMap({ policies[$0] }) ?? .sparseChecksum {
        case .none, .fullChecksum: nil
        case .attributes: .attributes
        case .sparseChecksum: .samples
        }
    }

    private static func words(for look: Look) -> String {
        let version = look.version.map { "\($0), " } ?? ""
        return "\(version)\(look.size), modified at \(look.modified)"
    }
}

extension VersionsAreNeverJoined {
    enum Clause: String, ClauseName {
        /// Decided by the publication of an upload whose source was edited after bytes had left.
        case editedUnderWay = "edited under way"
        /// Decided when a source is inspected that has changed since its upload began: an engine
        /// that compares too little would resume.
        case editSeen = "changed before a resume"
        /// Decided by a resume that only a weak policy allows: it must be marked.
        case unproven

        var sentence: String {
            switch self {
            case .editedUnderWay: "an object whose source was edited under way joins no versions"
            case .editSeen: "an upload whose source has changed does not resume"
            case .unproven: "a resume that compares less than the change is marked as unproven"
            }
        }
    }
}
