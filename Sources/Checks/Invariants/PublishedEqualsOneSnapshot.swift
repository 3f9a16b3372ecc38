import Content
import Quantities
package import RunLog

/// S1: "Completed ⇒ the published object equals one snapshot of the source, byte for byte. No
/// reader ever sees a partial or mixed body."
package struct PublishedEqualsOneSnapshot: Check {
    private var watch = Watch()
    /// The whole content of every version that stood at a path.
    private var snapshots: [String: [[ContentRange]]] = [:]
    /// How many of these there were when a transfer looked at its source last.
    private var looked: [TransferName: Int] = [:]
    private var uploads: [TransferName: Upload] = [:]
    /// Transfers the other way, and all that stood where they read.
    private var downloads: Set<TransferName> = []
    private var objects: [TransferName: String] = [:]
    /// What the app has of them.
    private var placed: Set<TransferName> = []
    private var published: [String: [[ContentRange]]] = [:]
    private var transfersTo: [String: [TransferName]] = [:]
    /// Resumed by policies that do not look at all of a source (A15), as the engine has marked.
    private var unproven: Set<TransferName> = []
    private var blind: Set<ResourceName> = []
    private var hasEvidence = false

    private struct Upload: Sendable {
        var source: String
        var destination: String
        /// A reader has what it was to bring, or the policy of its session leaves what is there.
        var isPublished = false
    }

    package init() {}

    package var rule: String { "S1" }
    package var statement: String {
        "a published object equals one snapshot of its source, and is there before its transfer "
            + "completes; what a download brings is one published version, and so is what the app "
            + "has of it"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .file(.stands(let path, let version, let size)):
            var whole: [ContentRange] = []
            whole.join(ContentRange(version, offset: .zero, length: size))
            snapshots[path, default: []].append(whole)
        case .engine(.accepts), .queue(.pathAdded):
            for transfer in event.fact.acceptedTransfers { accept(transfer) }
        case .engine(.inspected(let transfer, _, _)):
            guard let upload = uploads[transfer] else { return }
            looked[transfer] = snapshots[upload.source]?.count
        case .engine(.isUnproven(let transfer, _)): unproven.insert(transfer)
        case .engine(.resumes(let transfer, let resource, _)):
            if unproven.remove(transfer) != nil { blind.insert(resource) }
        case .engine(.keepsTarget(let transfer, let because)): keep(transfer, because)
        case .server(.published(let resource, let object, _, let ranges)):
            published[object, default: []].append(ranges)
            judge(object, holding: ranges, isBlind: blind.contains(resource))
        case .file(.downloaded(let transfer, let object, let ranges)):
            judge(transfer, reading: object, as: ranges)
        case .file(.moved(let transfer, let path, let ranges)):
            placed.insert(transfer)
            judge(transfer, reading: objects[transfer] ?? path, as: ranges)
        case .file(.lost(let transfer, let path, let because)):
            hasEvidence = true
            watch.fall(expected: "the app has what \(transfer) brought as \(path)", seen: because)
        case .engine(.completes(let transfer)): judgeCompletion(of: transfer)
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: hasEvidence ? nil : "no accepted transfer published anything")
    }

    private mutating func accept(_ accepted: AcceptedTransfer) {
        if accepted.isDownload == true {
            downloads.insert(accepted.transfer)
            objects[accepted.transfer] = accepted.source
        }
        guard uploads[accepted.transfer] == nil, accepted.isDownload != true else { return }
        uploads[accepted.transfer] = Upload(
            source: accepted.source, destination: accepted.destination)
        transfersTo[accepted.destination, default: []].append(accepted.transfer)
    }

    /// Nothing is moved. That is as good where the target holds what the source does, and by its
    /// session's policy where it is not older.
    private mutating func keep(_ transfer: TransferName, _ because: TargetKept) {
        hasEvidence = true
        if downloads.contains(transfer) {
            placed.insert(transfer)
            return
        }
        guard let upload = uploads[transfer] else { return }
        uploads[transfer]?.isPublished = true
        guard because == .same, let standing = published[upload.destination]?.last else { return }
        var joined: [ContentRange] = []
        for range in standing { joined.join(range) }
        let versions = snapshots[upload.source] ?? []
        // It is as it was then, or as somebody has made it since.
        let before = max((looked[transfer] ?? versions.count) - 1, 0)
        guard !versions.dropFirst(before).contains(joined) else { return }
        watch.fall(
            expected: "\(upload.destination) holds what \(upload.source) does, as \(transfer) says",
            seen: "\(upload.destination) holds \(Self.words(for: joined))")
    }

    /// Several transfers may aim at one object; a version of any of their sources is legal there.
    /// `isBlind`: it may be of several versions of one, each byte in its place.
    private mutating func judge(
        _ object: String, holding ranges: [ContentRange], isBlind: Bool
    ) {
        guard let transfers = transfersTo[object] else { return }
        hasEvidence = true
        var joined: [ContentRange] = []
        for range in ranges { joined.join(range) }

        var legal: [[ContentRange]] = []
        for transfer in transfers {
            guard let source = uploads[transfer]?.source else { continue }
            let stood = snapshots[source] ?? []
            if stood.contains(joined) || isBlind && Self.isPatched(joined, of: stood) {
                uploads[transfer]?.isPublished = true
                if isBlind { legal.append(joined) }
            }
            legal += stood
        }
        guard !legal.contains(joined) else { return }
        watch.fall(
            expected: "\(object) holds \(Self.words(for: legal))",
            seen: "\(object) holds \(Self.flaw(in: joined)): \(Self.words(for: joined))")
    }

    private mutating func judgeCompletion(of transfer: TransferName) {
        hasEvidence = true
        if downloads.contains(transfer) {
            // What the system downloads, the app takes when it hears of it (B3).
            guard transfer.facade == .queue, !placed.contains(transfer) else { return }
            return watch.fall(
                expected: "the app has what \(transfer) brings before that is complete",
                seen: "it is complete, and nothing was put to its place")
        }
        guard let upload = uploads[transfer] else {
            return watch.fall(
                expected: "only accepted transfers complete",
                seen: "\(transfer), which no session has, is complete")
        }
        guard !upload.isPublished else { return }
        watch.fall(
            expected: "\(upload.destination) is published before \(transfer) is complete",
            seen: "\(transfer) is complete, and no reader can see \(upload.source) there")
    }

    /// What a reader has got is one version that was there, byte for byte.
    private mutating func judge(
        _ transfer: TransferName, reading object: String, as ranges: [ContentRange]
    ) {
        hasEvidence = true
        var joined: [ContentRange] = []
        for range in ranges { joined.join(range) }
        let legal = (published[object] ?? []).map { version in
            var whole: [ContentRange] = []
            for range in version { whole.join(range) }
            return whole
        }
        guard !legal.contains(joined) else { return }
        watch.fall(
            expected: "\(transfer) brings \(Self.words(for: legal))",
            seen: "it brings \(Self.flaw(in: joined)): \(Self.words(for: joined))")
    }

    /// A real file is recognised in blocks of this size: that in which two versions meet is known
    /// as neither.
    private static let block = ByteCount(4096)

    /// Whether each range is that of a version that stood, and they follow each other.
    private static func isPatched(_ ranges: [ContentRange], of stood: [[ContentRange]]) -> Bool {
        var end = ByteCount.zero
        for range in ranges {
            let isKnown = stood.contains { $0.count == 1 && $0[0].version == range.version }
            let isSeam = range.version == .unknown && range.length <= block
            guard range.offset == end, isKnown || isSeam else { return false }
            end = range.end
        }
        return stood.contains { $0.last?.end == end }
    }

    private static func words(for legal: [[ContentRange]]) -> String {
        guard !legal.isEmpty else { return "a version of its source, and none ever stood" }
        return legal.map { words(for: $0) }.joined(separator: " or ")
    }

    /// A body in hundreds of pieces is told by its first few.
    private static func words(for ranges: [ContentRange]) -> String {
        guard !ranges.isEmpty else { return "no byte" }
        let first = ranges.prefix(4).map(\.description).joined(separator: ", ")
        return ranges.count > 4 ? "\(first) and \(ranges.count - 4) pieces more" : first
    }

    private static func flaw(in ranges: [ContentRange]) -> String {
        guard let first = ranges.first else { return "nothing" }
        if ranges.contains(where: { $0.version == .unknown }) { return "bytes of no known file" }
        if ranges.contains(where: { $0.version != first.version }) { return "a mixed body" }
        if ranges.count > 1 { return "a body with a gap or a repetition" }
        if first.offset > .zero { return "a body without its beginning" }
        return "no whole snapshot"
    }
}
