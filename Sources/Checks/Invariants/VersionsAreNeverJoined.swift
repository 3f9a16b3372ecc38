import Content
import Quantities
package import RunLog

/// S2: "Bytes of two versions of a file are never joined. Resume only when the fingerprint or
/// validator still matches."
///
/// What stands in the app's container is in the log, so that a resume is judged by the truth, and
/// not by what the engine believed.
package struct VersionsAreNeverJoined: Check {
    private var watch = Watch()
    private var standing: [String: FileVersion] = [:]
    private var sources: [TransferName: String] = [:]
    private var lengths: [ResourceName: ByteCount] = [:]
    /// What each transfer's source was when the engine last looked.
    private var inspected: [TransferName: Look] = [:]
    /// What it was when bytes first went to a resource.
    private var begun: [ResourceName: Look] = [:]
    private var hasEvidence = false

    private struct Look: Hashable, Sendable {
        var version: FileVersion?
        var size: ByteCount
        var modified: UInt64
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
        case .file(.stands(let path, let version, _)): standing[path] = version
        case .engine(.accepts), .queue(.pathAdded):
            for transfer in event.fact.acceptedTransfers {
                sources[transfer.transfer] = transfer.source
            }
        case .server(.created(let resource, _, let length)): lengths[resource] = length
        case .server(.published(_, let object, _, let ranges)): judge(object, holding: ranges)
        case .engine(.inspected(let transfer, let size, let modified)):
            let version = sources[transfer].flatMap { standing[$0] }
            inspected[transfer] = Look(version: version, size: size, modified: modified)
            // A resumable transfer goes by what its source holds: a touch is no change (K5).
            if transfer.facade == .bucket { inspected[transfer]?.modified = 0 }
        case .engine(.sends(let transfer, let resource, _, _, _)):
            if begun[resource] == nil { begun[resource] = inspected[transfer] }
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
        guard offset > .zero, offset != lengths[resource], let before = begun[resource],
            let now = inspected[transfer], before != now
        else { return }
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
