import Content
import Quantities
import RunLog

/// S1: "Completed ⇒ the published object equals one snapshot of the source, byte for byte. No
/// reader ever sees a partial or mixed body."
struct PublishedEqualsOneSnapshot: Invariant {
    private(set) var watch = Watch()
    /// The content of every version of the file at a path.
    private var snapshots: [String: [[ContentRange]]] = [:]
    /// The number of versions when a transfer last examined its source.
    private var looked: [TransferName: Int] = [:]
    private var uploads: [TransferName: Upload] = [:]
    /// The object of each download.
    /// Downloads that ask for something else than a whole object.
    private var asksForOther: Set<TransferName> = []
    private var objects: [TransferName: String] = [:]
    /// Downloads whose file the app has.
    private var placed: Set<TransferName> = []
    private var published: [String: [[ContentRange]]] = [:]
    private var transfersTo: [String: [TransferName]] = [:]
    /// Transfers that the engine has marked as resumed without proof, by a weak policy (A15).
    private var unproven: Set<TransferName> = []
    private var blind: Set<ResourceName> = []
    /// The sessions whose policy keeps a target that is not older than its source.
    private var keepsNewer: Set<ItemName> = []
    /// Sessions that went by dates before, until a change of their settings.
    private var keptNewer: Set<ItemName> = []
    private var items: [TransferName: ItemName] = [:]
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// The number of appends to each resource.
    private var pieces: [ResourceName: Int] = [:]
    /// Downloads that have resumed behind byte 0.
    private var resumed: Set<TransferName> = []
    /// The number of versions of its object when a download began.
    private var versionsBefore: [TransferName: Int] = [:]

    private struct Upload: Sendable {
        var source: String
        var destination: String
        /// Whether readers have the content, or the session's policy kept the existing object.
        var isPublished = false
    }

    var rule: String { "S1" }
    var subject: RuleSubject? { .content }
    var statement: String {
        "a published object equals one snapshot of its source, and is there before its transfer "
            + "completes; a download is one published version, and so is the app's file"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .file(.stands(let path, let version, let size)):
            let whole = ContentRange(version, offset: .zero, length: size)
            snapshots[path, default: []].append([whole].joined)
        case .engine(.accepts(let item, _, _)), .queue(.pathAdded(let item, _)):
            for transfer in event.fact.acceptedTransfers {
                items[transfer.transfer] = item
                accept(transfer)
            }
        case .engine(.goesBy(let item, let settings)):
            if settings.overwrite == .ifOlder || settings.overwrite == .ifDifferentAndOlder {
                keepsNewer.insert(item)
            } else if keepsNewer.remove(item) != nil {
                keptNewer.insert(item)
            }
        // A change that the store has not kept ends with the process.
        case .device(.appLaunched): keepsNewer.formUnion(keptNewer)
        case .engine(.inspected(let transfer, _, _)):
            guard let upload = uploads[transfer] else { return }
            looked[transfer] = snapshots[upload.source]?.count
        case .engine(.isUnproven(let transfer, _)): unproven.insert(transfer)
        case .engine(.resumes(let transfer, let resource, _)):
            if unproven.remove(transfer) != nil { blind.insert(resource) }
            if objects[transfer] != nil { resumed.insert(transfer) }
        case .engine(.asksForOther(let transfer)): asksForOther.insert(transfer)
        case .engine(.keepsTarget(let transfer, let because)): keep(transfer, because)
        case .server(.appendBegan(let resource, _, _)): pieces[resource, default: 0] += 1
        case .server(.published(let resource, let object, _, let ranges)):
            let content = ranges.joined
            weigh(resource, publishing: content, as: object)
            published[object, default: []].append(content)
            judge(object, holding: content, isBlind: blind.contains(resource))
        case .server(let fact) where fact.losesPower:
            evidence.decides(.outlivesPower, if: !published.isEmpty)
        case .server(.lost(let object)):
            watch.fall(
                expected: "\(object), which was published, outlives a loss of power",
                seen: "it is gone, or another object stands there")
        case .file(.downloaded(let transfer, let object, let ranges)):
            judge(transfer, reading: object, as: ranges)
        case .file(.moved(let transfer, _, _)) where asksForOther.contains(transfer): break
        case .file(.moved(let transfer, let path, let ranges)):
            placed.insert(transfer)
            evidence.decides(.kept)
            judge(transfer, reading: objects[transfer] ?? path, as: ranges)
        case .file(.lost(let transfer, let path, let because)):
            hasEvidence = true
            evidence.decides(.kept)
            watch.fall(
                expected: "the app has the download of \(transfer) at \(path)", seen: because)
        case .engine(.completes(let transfer)): judgeCompletion(of: transfer)
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no accepted transfer published anything" }

    var clauses: [DecidedClause] { evidence.all }

    private mutating func accept(_ accepted: AcceptedTransfer) {
        guard accepted.isDownload != true else {
            objects[accepted.transfer] = accepted.source
            versionsBefore[accepted.transfer] = published[accepted.source]?.count ?? 0
            return
        }
        guard uploads[accepted.transfer] == nil else { return }
        uploads[accepted.transfer] = Upload(
            source: accepted.source, destination: accepted.destination)
        transfersTo[accepted.destination, default: []].append(accepted.transfer)
    }

    /// Judges a skipped file: the target equals the source, or by the session's policy is not
    /// older.
    private mutating func keep(_ transfer: TransferName, _ because: TargetKept) {
        hasEvidence = true
        if because == .notOlder {
            evidence.decides(.notOlder)
            let isPolicy = items[transfer].map(keepsNewer.contains) ?? false
            guard isPolicy else {
                return watch.fall(
                    expected: "only a session whose policy says so keeps a target by its date",
                    seen: "\(transfer) keeps it: \(because.rawValue)")
            }
        }
        if objects[transfer] != nil {
            placed.insert(transfer)
            return
        }
        guard let upload = uploads[transfer] else { return }
        uploads[transfer]?.isPublished = true
        guard because == .same, let standing = published[upload.destination]?.last else { return }
        let versions = snapshots[upload.source] ?? []
        // The file is as it was then, or has changed since.
        let before = max((looked[transfer] ?? versions.count) - 1, 0)
        evidence.decides(.sameTarget)
        guard !versions.dropFirst(before).contains(standing) else { return }
        watch.fall(
            expected: "\(upload.destination) equals \(upload.source), as \(transfer) reports",
            seen: "\(upload.destination) holds \(Self.words(for: standing))")
    }

    /// Counts what a wrong engine could have published instead.
    private mutating func weigh(
        _ resource: ResourceName, publishing content: [ContentRange], as object: String
    ) {
        guard let transfers = transfersTo[object] else { return }
        evidence.decides(.pieces, if: pieces[resource] ?? 0 > 1)
        let wasEdited = transfers.contains { transfer in
            uploads[transfer].map { snapshots[$0.source]?.count ?? 0 > 1 } ?? false
        }
        evidence.decides(.editedSource, if: wasEdited)
        guard let before = published[object]?.last, before != content else { return }
        evidence.decides(.otherTarget, if: transfers.contains { $0.facade == .queue })
    }

    /// Judges an object: a version of any source that goes to it is legal. With `isBlind`, it may
    /// mix several versions of one source, each byte in its place.
    private mutating func judge(
        _ object: String, holding content: [ContentRange], isBlind: Bool
    ) {
        guard let transfers = transfersTo[object] else { return }
        hasEvidence = true
        var legal: [[ContentRange]] = []
        for transfer in transfers {
            guard let source = uploads[transfer]?.source else { continue }
            let stood = snapshots[source] ?? []
            if stood.contains(content) || isBlind && Self.isPatched(content, of: stood) {
                uploads[transfer]?.isPublished = true
                if isBlind { legal.append(content) }
            }
            legal += stood
        }
        guard !legal.contains(content) else { return }
        watch.fall(
            expected: "\(object) holds \(Self.words(for: legal))",
            seen: "\(object) holds \(Self.flaw(in: content)): \(Self.words(for: content))")
    }

    private mutating func judgeCompletion(of transfer: TransferName) {
        hasEvidence = true
        if objects[transfer] != nil {
            evidence.decides(.filePlaced, if: transfer.facade == .queue)
            // The app takes a file that the system has downloaded only when it hears of the file
            // (B3).
            guard transfer.facade == .queue, !placed.contains(transfer) else { return }
            return watch.fall(
                expected: "the app has the file of \(transfer) before the transfer completes",
                seen: "it is complete, but there is no file")
        }
        guard let upload = uploads[transfer] else {
            return watch.fall(
                expected: "only accepted transfers complete",
                seen: "\(transfer), which belongs to no session, is complete")
        }
        evidence.decides(.publishedFirst)
        guard !upload.isPublished else { return }
        watch.fall(
            expected: "\(upload.destination) is published before \(transfer) is complete",
            seen: "\(transfer) is complete, but no reader can see \(upload.source) there")
    }

    /// Judges a download: it equals one published version, byte for byte.
    private mutating func judge(
        _ transfer: TransferName, reading object: String, as ranges: [ContentRange]
    ) {
        hasEvidence = true
        let legal = published[object] ?? []
        evidence.decides(.resumedDownload, if: resumed.contains(transfer))
        let before = versionsBefore[transfer] ?? legal.count
        evidence.decides(.overtakenDownload, if: legal.count > max(before, 1))
        guard !legal.contains(ranges.joined) else { return }
        watch.fall(
            expected: "\(transfer) downloads \(Self.words(for: legal))",
            seen: "it downloads \(Self.flaw(in: ranges.joined)): "
                + Self.words(for: ranges.joined))
    }

    /// The block size by which real files are recognised. A block with bytes of two versions is
    /// unknown.
    private static let block = ByteCount(4096)

    /// Whether the ranges belong to known versions and follow each other.
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
        guard !legal.isEmpty else { return "a version of its source, but there was none" }
        return legal.map { words(for: $0) }.joined(separator: " or ")
    }

    /// Returns the ranges in words; of many pieces only the first few.
    private static func words(for ranges: [ContentRange]) -> String {
        guard !ranges.isEmpty else { return "no bytes" }
        let first = ranges.prefix(4).map(\.description).joined(separator: ", ")
        return ranges.count > 4 ? "\(first) and \(ranges.count - 4) more pieces" : first
    }

    private static func flaw(in ranges: [ContentRange]) -> String {
        guard let first = ranges.first else { return "nothing" }
        if ranges.contains(where: { $0.version == .unknown }) { return "bytes of an unknown file" }
        if ranges.contains(where: { $0.version != first.version }) { return "a mixed body" }
        if ranges.count > 1 { return "a body with a gap or a repetition" }
        if first.offset > .zero { return "a body without its beginning" }
        return "an incomplete snapshot"
    }
}

extension PublishedEqualsOneSnapshot {
    enum Clause: String, ClauseName {
        /// Decided by a publication after several appends: a seam can be wrong.
        case pieces
        /// Decided by a publication whose source has had two versions: they can be mixed.
        case editedSource = "edited source"
        /// Decided by each completion of an upload: an engine that completes when the last byte has
        /// left is early by half a round trip.
        case publishedFirst = "published first"
        /// Decided by each target that an upload leaves as it is.
        case sameTarget = "same target"
        /// Decided by each target that is kept because of its date.
        case notOlder = "newer target"
        /// Decided by a publication of a queue's session over another content, which a careless
        /// comparison would take for the same.
        case otherTarget = "other target"
        /// Decided by a download that resumed.
        case resumedDownload = "resumed download"
        /// Decided by a download whose object was published again after its session was accepted.
        case overtakenDownload = "overtaken download"
        /// Decided by each completion of a queue's download: the file could come later.
        case filePlaced = "file placed"
        /// Decided by a loss of the server's power after a publication.
        case outlivesPower = "outlives a loss of power"
        /// Decided by each file that the app moves: the system could have deleted it.
        case kept = "file kept for the app"

        var sentence: String {
            switch self {
            case .pieces: "an object that came in several appends equals one snapshot"
            case .editedSource: "an object whose source was edited equals one of the versions"
            case .publishedFirst: "an upload completes after its object is published"
            case .sameTarget: "a target that is kept as the same equals the source"
            case .notOlder: "a target is kept by its date only if the policy says so"
            case .otherTarget: "a target with other content is replaced"
            case .resumedDownload: "a resumed download equals one published version"
            case .overtakenDownload: "a download of a changed object equals one version"
            case .filePlaced: "a session's download completes after the app has its file"
            case .outlivesPower: "a published object outlives a loss of the server's power"
            case .kept: "a downloaded file is there until the app has moved it"
            }
        }
    }
}
