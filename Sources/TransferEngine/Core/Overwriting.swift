import Protocols
import Quantities

/// Whether what stands where a file goes is overwritten (A15). Which of the two sides is the source
/// depends on the way that the file goes.
struct Overwriting: Hashable, Sendable {
    var source: Side
    var target: Side

    /// What is known of a side: a file here has a size and a date, an object there what its server
    /// tells of it.
    struct Side: Hashable, Sendable {
        var size: ByteCount?
        /// Seconds since 1970.
        var modified: UInt64?
        var content: Content

        init(_ file: Source) {
            size = file.fingerprint.size
            modified = file.fingerprint.modified / 1_000_000_000
            content =
                file.digest.flatMap { $0.coverage == .whole ? .known($0.value) : nil } ?? .unread
        }

        init(_ object: ObjectState) {
            size = object.size
            modified = object.modified
            content = (object.digest?.mark).map { .known($0) } ?? .unknown
        }
    }

    enum Content: Hashable, Sendable {
        /// By a digest of all of it.
        case known(UInt64)
        /// The file can be read for one.
        case unread
        /// The server does not tell.
        case unknown
    }

    enum Decision: Hashable, Sendable {
        case overwrite
        /// There is nothing to transfer.
        case keep(TargetKept)
        case fail(TransferError)
        /// The file here has to be read, for its digest.
        case compare
    }

    /// `isOwn`: an upload had begun, and what stands there may be what it has published, without
    /// anybody knowing; then it shows by its content, whatever the clocks say.
    func decide(by policy: OverwritePolicy, isOwn: Bool = false) -> Decision {
        switch policy {
        case .always: .overwrite
        case .never: isOwn ? unlessSame(.fail(.alreadyExists)) : .fail(.alreadyExists)
        case .ifDifferent: unlessSame(.overwrite)
        case .ifOlder: isOwn ? unlessSame(older) : older
        // What needs no reading is asked first.
        case .ifDifferentAndOlder: older == .overwrite || isOwn ? unlessSame(older) : older
        }
    }

    private func unlessSame(_ decision: Decision) -> Decision {
        switch sameness {
        case .same: .keep(.same)
        case .other: decision
        case .unread: .compare
        }
    }

    /// Nothing newer is ever lost to a server that keeps its dates to itself.
    private var older: Decision {
        guard let target = target.modified, let source = source.modified else {
            return .fail(.cannotStat)
        }
        return target < source ? .overwrite : .keep(.notOlder)
    }

    private enum Sameness { case same, other, unread }

    /// What cannot be known to be the same is taken to be something else.
    private var sameness: Sameness {
        guard let one = source.size, one == target.size else { return .other }
        guard one > .zero else { return .same }
        switch (source.content, target.content) {
        case (.known(let one), .known(let other)): return one == other ? .same : .other
        case (.unknown, _), (_, .unknown): return .other
        case (.unread, _), (_, .unread): return .unread
        }
    }
}
