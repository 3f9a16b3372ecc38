import Protocols
import Quantities

/// Decides whether an existing target is overwritten (A15). The direction of the transfer decides
/// which side is the source.
struct Overwriting: Hashable, Sendable {
    var source: Side
    let target: Side

    /// What is known of one side: a local file has a size and a date, an object has what its server
    /// tells.
    struct Side: Hashable, Sendable {
        var size: ByteCount?
        /// Seconds since 1970.
        var modified: UInt64?
        let content: Content

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
        /// The digest of the whole content.
        case known(UInt64)
        /// The file can be read for its digest.
        case unread
        /// The server does not tell the content.
        case unknown
    }

    enum Decision: Hashable, Sendable {
        case overwrite
        /// There is nothing to transfer.
        case keep(TargetKept)
        case fail(TransferError)
        /// The local file has to be read for its digest.
        case compare
    }

    /// Decides by the policy. With `isOwn`, an upload had begun and may have published the target
    /// without anybody knowing; then the content decides, whatever the dates say.
    func decide(by policy: OverwritePolicy, isOwn: Bool = false) -> Decision {
        switch policy {
        case .always: .overwrite
        case .never: isOwn ? unlessSame(.fail(.alreadyExists)) : .fail(.alreadyExists)
        case .ifDifferent: unlessSame(.overwrite)
        case .ifOlder: isOwn ? unlessSame(older) : older
        // Dates are compared first, as they need no reading.
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

    /// Overwrites only an older target: newer content is never lost to a server that tells no
    /// dates.
    private var older: Decision {
        guard let target = target.modified, let source = source.modified else {
            return .fail(.cannotStat)
        }
        return target < source ? .overwrite : .keep(.notOlder)
    }

    private enum Sameness { case same, other, unread }

    /// Whether the contents are the same; different if that cannot be known.
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
