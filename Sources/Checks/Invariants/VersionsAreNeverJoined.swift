import Content
import Quantities
package import RunLog

/// S2: "Bytes of two versions of a file are never joined. Resume only when the fingerprint or
/// validator still matches."
///
/// What stands in the app's container is in the log, so that a resume is judged by the truth, and
/// not by what the engine believed. Where the policy of a session does not look at all of a source
/// (A15), and the engine has marked the resume for that, it is held to what the policy looks at.
package struct VersionsAreNeverJoined: Check {
    private var watch = Watch()
    private var standing: [String: FileVersion] = [:]
    /// Of which version the samples of each file are, now and before its last edit.
    private var sampled: [String: (now: FileVersion, before: FileVersion?)] = [:]
    /// What the policy of the next resume does not see.
    private var blindSpots: [TransferName: ResumeBlindSpot] = [:]
    /// What a policy that does not see all has joined.
    private var unseen: Set<ResourceName> = []
    /// Sessions whose sources are known by all of their bytes: a new date is no change.
    private var byContent: Set<ItemName> = []
    private var items: [TransferName: ItemName] = [:]
    private var sources: [TransferName: String] = [:]
    private var lengths: [ResourceName: ByteCount] = [:]
    /// What each transfer's source was when the engine last looked.
    private var inspected: [TransferName: Look] = [:]
    /// What it was when bytes first went to a resource.
    private var begun: [ResourceName: Look] = [:]
    private var hasEvidence = false

    private struct Look: Hashable, Sendable {
        var version: FileVersion?
        /// Of which version its samples are.
        var samples: FileVersion?
        var size: ByteCount
        var modified: UInt64

        /// As much of it as a policy looks at.
        func seen(despite spot: ResumeBlindSpot) -> Look {
            var look = self
            look.version = nil
            if spot == .attributes { look.samples = nil }
            return look
        }
    }

    package init() {}

    package var rule: String { "S2" }
    package var statement: String {
        "no object joins two versions of a file, and an upload resumes only while its source is "
            + "what it began with"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .file(.stands(let path, let version, _)):
            standing[path] = version
            sampled[path] = (version, sampled[path]?.now)
        case .file(.keepsSamples(let path)):
            if let before = sampled[path]?.before { sampled[path]?.now = before }
        case .engine(.accepts(let item, _, _)), .queue(.pathAdded(let item, _)):
            for transfer in event.fact.acceptedTransfers {
                sources[transfer.transfer] = transfer.source
                items[transfer.transfer] = item
            }
        case .engine(.goesBy(let item, let settings)):
            if settings.resume == .fullChecksum {
                byContent.insert(item)
            } else {
                byContent.remove(item)
            }
        case .server(.created(let resource, _, let length)): lengths[resource] = length
        // Not every wire says at the beginning how much will come.
        case .server(.appendEnded(let resource, let staged, complete: true)):
            lengths[resource] = staged
        case .server(.published(let resource, let object, _, let ranges)):
            if !unseen.contains(resource) { judge(object, holding: ranges) }
        case .engine(.inspected(let transfer, let size, let modified)):
            let path = sources[transfer] ?? ""
            inspected[transfer] = Look(
                version: standing[path], samples: sampled[path]?.now, size: size,
                modified: modified)
            // A resumable transfer goes by what its source holds: a touch is no change (K5).
            if transfer.facade == .bucket { inspected[transfer]?.modified = 0 }
        case .engine(.sends(let transfer, let resource, _, _, _)):
            if begun[resource] == nil { begun[resource] = inspected[transfer] }
        case .engine(.isUnproven(let transfer, let spot)): blindSpots[transfer] = spot
        case .engine(.resumes(let transfer, let resource, let offset)):
            hasEvidence = true
            judge(transfer, resuming: resource, at: offset)
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "nothing was resumed or published")
    }

    private mutating func judge(_ object: String, holding ranges: [ContentRange]) {
        // A server alone may be recorded without its bodies.
        guard let first = ranges.first else { return }
        hasEvidence = true
        guard let other = ranges.first(where: { $0.version != first.version }) else { return }
        watch.fall(
            expected: "\(object) holds bytes of one version of one file",
            seen: "it joins \(first.version) and \(other.version), from byte \(other.offset.bytes)")
    }

    /// At its end nothing is added to an upload: only its last answer was lost.
    private mutating func judge(
        _ transfer: TransferName, resuming resource: ResourceName, at offset: ByteCount
    ) {
        let spot = blindSpots.removeValue(forKey: transfer)
        guard offset > .zero, offset != lengths[resource], var before = begun[resource],
            var now = inspected[transfer], before != now
        else { return }
        if items[transfer].map(byContent.contains) == true {
            (before.modified, now.modified) = (0, 0)
            if before == now { return }
        }
        if let spot, before.seen(despite: spot) == now.seen(despite: spot) {
            hasEvidence = true
            unseen.insert(resource)
            return
        }
        watch.fall(
            expected: "\(transfer) starts over, as its source is not what \(resource) began with",
            seen: "it resumes at \(offset.bytes), with \(Self.words(for: now)) "
                + "behind \(Self.words(for: before))")
    }

    private static func words(for look: Look) -> String {
        let version = look.version.map { "\($0), " } ?? ""
        return "\(version)\(look.size), modified at \(look.modified)"
    }
}
