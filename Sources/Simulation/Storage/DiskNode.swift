import Content
import DocrootServer
import Quantities

/// A file or folder of the symbolic disk: its current and its durable contents.
struct DiskNode: Sendable {
    let isFolder: Bool
    private(set) var body = SymbolicBody()
    /// Content of a small file.
    private(set) var text = ""
    var attributes = Attributes() { didSet { hasNewAttributes = true } }
    /// Number of bytes of a staged file that count.
    var mark = ByteCount.zero
    /// Number of names that lead to the node.
    var nameCount = 0
    private var durableText = ""
    private var durableAttributes = Attributes()
    private var durableMark = ByteCount.zero
    /// Whether text or attributes may not be durable. Most packets change only numbers.
    private var hasNewAttributes = false
    private var unsynced: [Change] = []

    struct Attributes: Hashable, Sendable {
        var version: UInt64 = 0
        var modified: UInt64 = 0
        var properties: [StoredProperty] = []
    }

    /// Undo information for the body.
    private enum Change: Sendable {
        case appended(at: ByteCount)
        case cut([ContentRange])
    }

    /// Size of a sector, which a disk writes wholly or not at all.
    private static let sector: UInt64 = 512

    init(isFolder: Bool = false) { self.isFolder = isFolder }

    mutating func append(_ segments: [Segment]) {
        unsynced.append(.appended(at: body.total))
        for segment in segments { body.append(segment) }
    }

    mutating func truncate(to size: ByteCount) {
        unsynced.append(.cut(body.cut(at: size)))
    }

    mutating func write(_ text: String) {
        self.text = text
        hasNewAttributes = true
    }

    mutating func synchronise() {
        if !unsynced.isEmpty { unsynced.removeAll(keepingCapacity: true) }
        durableMark = mark
        guard hasNewAttributes else { return }
        hasNewAttributes = false
        durableText = text
        durableAttributes = attributes
    }

    // MARK: A loss of power

    mutating func losePower(random: inout RandomStream) {
        if attributes != durableAttributes, random.below(2) == 0 { attributes = durableAttributes }
        if random.below(2) == 0 { mark = durableMark }
        if text != durableText { text = torn(text, random: &random) }
        let size = body.total
        for change in takeBack().reversed() { redo(change, random: &random) }
        // The file may keep its length.
        if body.total < size, random.below(2) == 0 { body.place([], at: size) }
        synchronise()
    }

    /// A change that was undone and may be redone.
    private enum Redo {
        case append([ContentRange], at: ByteCount)
        case cut(at: ByteCount)
    }

    /// Undoes unsynchronised changes, the last first.
    private mutating func takeBack() -> [Redo] {
        unsynced.reversed().map { change in
            switch change {
            case .appended(let offset): return .append(body.cut(at: offset), at: offset)
            case .cut(let lost):
                defer { for range in lost { body.append(.content(range)) } }
                return .cut(at: body.total)
            }
        }
    }

    /// Redoes a change by chance. An append is lost, whole or torn with equal chance; a cut is
    /// never torn.
    private mutating func redo(_ change: Redo, random: inout RandomStream) {
        switch (change, random.below(3)) {
        case (_, 0): break
        case (.cut(let size), _): _ = body.cut(at: size)
        case (.append(let ranges, let offset), 1): body.place(ranges, at: offset)
        case (.append(let ranges, let offset), _):
            var rest = SymbolicBody(ranges)
            var place = offset
            while rest.total > .zero {
                let sectors = 1 + random.below(rest.total.bytes / Self.sector + 1)
                let tail = rest.cut(at: min(ByteCount(sectors * Self.sector), rest.total))
                if random.below(2) == 0 { body.place(rest.ranges, at: place) }
                place += rest.total
                rest = SymbolicBody(tail)
            }
        }
    }

    private func torn(_ text: String, random: inout RandomStream) -> String {
        switch random.below(4) {
        case 0: durableText
        case 1: text
        case 2: ""
        default: String(text.prefix(Int(random.below(UInt64(text.count) + 1))))
        }
    }
}
