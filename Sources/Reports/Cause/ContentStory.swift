import Content
import Quantities
import RunLog

/// The life of the objects and downloads that a rule names: who wrote them, at which byte two
/// versions join, and who removed them.
struct ContentStory: BreachStory {
    /// What was expected and seen.
    private let words: String
    private let names: RunNames
    /// The path and the size of each file of the run.
    private var paths: [UInt32: String] = [:]
    private var sizes: [FileVersion: ByteCount] = [:]
    /// Files with several versions.
    private var edited: Set<UInt32> = []
    /// The objects, and the transfers of the items, that the rule names.
    private var objects: Set<String> = []
    private var transfers: Set<TransferName> = []
    /// The files that go to these objects.
    private var sources: Set<String> = []
    private var items: [TransferName: ItemName] = [:]
    private var writers: [ResourceName: TransferName] = [:]
    /// The latest request of a client beside the app.
    private var visit: (name: String, request: String)?
    private var latest = LatestReasons()

    init(of words: String, _ names: RunNames) {
        self.words = words
        self.names = names
    }

    var reasons: [BreachCause.Reason] { latest.reasons }

    mutating func read(_ event: RunEvent, index: Int) {
        let telling: String? =
            switch event.fact {
            case .file(let fact): sentence(of: fact)
            case .server(let fact): sentence(of: fact)
            case .engine(let fact): sentence(of: fact)
            default: nil
            }
        if let telling { latest.add(telling, event, index: index, of: names) }
    }

    private mutating func sentence(of fact: FileFact) -> String? {
        switch fact {
        case .stands(let path, let version, let size):
            paths[version.file] = path
            sizes[version] = size
            if version.edit > 0 { edited.insert(version.file) }
            guard version.edit > 0, isSource(path) else { return nil }
            return "\(path) is edited on the phone: it is \(name(of: version)) now"
        case .removed(let path): return isSource(path) ? "\(path) is deleted on the phone" : nil
        case .downloaded(let transfer, let object, let content):
            guard transfers.contains(transfer) || isNamed(object) else { return nil }
            return "\(item(of: transfer)) has brought \(object)\(self.words(for: content))"
        case .moved(let transfer, _, _), .lost(let transfer, _, _):
            return transfers.contains(transfer) ? fact.sentence : nil
        case .keepsSamples, .touched, .parts, .kept: return nil
        }
    }

    private mutating func sentence(of fact: ServerFact) -> String? {
        switch fact {
        case .visited(let name, let request):
            visit = (name, request)
            return nil
        case .published(let resource, let object, let version, let content):
            guard concerns(object) else { return nil }
            let writer = writers[resource].map { " by \(item(of: $0))" } ?? ""
            return "\(object) is published as version \(version)\(writer)"
                + self.words(for: content)
        case .removed(let object):
            guard concerns(object) else { return nil }
            guard let visit, visit.request.hasSuffix(object) else {
                return "\(object) is removed by a client"
            }
            return "\(object) is removed by another client: visit “\(visit.name)” asks "
                + "\(visit.request)"
        case .lost(let object): return concerns(object) ? fact.sentence : nil
        case .fault where fact.losesPower: return fact.sentence
        default: return nil
        }
    }

    private mutating func sentence(of fact: EngineFact) -> String? {
        switch fact {
        case .accepts(let item, _, let accepted):
            for transfer in accepted {
                items[transfer.transfer] = item
                let object =
                    transfer.isDownload == true ? transfer.source : transfer.destination
                let isNamed = ["\(item)", "\(transfer.transfer)"].contains {
                    Self.contains(words, $0)
                }
                if isNamed {
                    transfers.insert(transfer.transfer)
                    objects.insert(object)
                }
                if concerns(object) { sources.insert(transfer.source) }
            }
            return nil
        case .sends(let transfer, let resource, _, _, _):
            writers[resource] = transfer
            return nil
        case .resumes(let transfer, _, let offset):
            guard transfers.contains(transfer) else { return nil }
            return "\(item(of: transfer)) resumes at byte \(offset.bytes)"
        case .completes(let transfer):
            return transfers.contains(transfer) ? "\(item(of: transfer)) is complete" : nil
        default: return nil
        }
    }

    private func concerns(_ object: String) -> Bool { objects.contains(object) || isNamed(object) }

    private func isSource(_ path: String) -> Bool { sources.contains(path) || isNamed(path) }

    private func isNamed(_ path: String) -> Bool { Self.contains(words, path) }

    private func item(of transfer: TransferName) -> String {
        items[transfer].map { "\($0)" } ?? "\(transfer)"
    }

    /// Whether a text has this name as a whole: `a.mov` is no part of `in/a.mov`.
    private static func contains(_ text: String, _ name: String) -> Bool {
        func isPart(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber || "/-_".contains($0) } ?? false
        }
        return text.ranges(of: name).contains { place in
            let before = text[..<place.lowerBound].last
            return !isPart(before) && before != "." && !isPart(text[place.upperBound...].first)
        }
    }

    // MARK: Content in words

    private func name(of version: FileVersion) -> String {
        guard version != .unknown else { return "no known file" }
        let path = paths[version.file] ?? "file \(version.file)"
        return edited.contains(version.file) ? "\(path), version \(version.edit + 1)" : path
    }

    /// Returns the origin of a body's bytes, and the byte at which two versions join.
    private func words(for content: [ContentRange]) -> String {
        let pieces = content.joined
        guard let first = pieces.first else { return "" }
        guard pieces.count > 1 else {
            let isWhole = first.offset == .zero && sizes[first.version] == first.length
            let part = isWhole ? "all" : "bytes \(first.offset.bytes) to \(first.end.bytes - 1)"
            return ": \(part) of \(name(of: first.version))"
        }
        var end = ByteCount.zero
        let parts = pieces.prefix(3).map { piece in
            let start = end
            end += piece.length
            let shift =
                piece.offset == start ? "" : ", there from byte \(piece.offset.bytes)"
            return "from byte \(start.bytes) it is \(name(of: piece.version))\(shift)"
        }
        let rest = pieces.count > 3 ? "; \(pieces.count - 3) more pieces follow" : ""
        return ": " + parts.joined(separator: "; ") + rest
    }
}
