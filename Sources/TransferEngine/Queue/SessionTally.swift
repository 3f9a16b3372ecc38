import Quantities

/// The progress of a session over all of its files, while it is active (A12).
///
/// The sizes of an upload's files are asked for when it starts to run; those of a download's come
/// with the server's answers. Both may change, as files are edited and objects replaced.
struct SessionTally: Hashable, Sendable {
    private var sizes: [ByteCount?]
    private var total = ByteCount.zero
    private var unknown: Int
    /// The bytes of files that are over, and of the one that moves.
    private var over = ByteCount.zero
    private var moving = ByteCount.zero
    /// Files whose size has been asked for.
    private var asked: [TransferID: Int] = [:]

    init(_ transfers: [TransferRecord]) {
        sizes = transfers.map { $0.fingerprint?.size }
        unknown = sizes.count { $0 == nil }
        for (size, transfer) in zip(sizes, transfers) {
            guard let size else { continue }
            total += size
            if transfer.isComplete { over += size }
        }
    }

    var progress: SessionProgress {
        SessionProgress(done: over + moving, total: unknown == 0 ? total : nil)
    }

    /// Asks for the sizes of files that have yet to be sent. The next one tells its own by its
    /// progress.
    mutating func ask(for transfers: [TransferRecord], into wanted: inout [AttemptOutput]) {
        for place in transfers.indices.filter({ transfers[$0].isOpen }).dropFirst() {
            let transfer = transfers[place]
            asked[transfer.id] = place
            wanted.append(.inspect(transfer.id, path: transfer.source))
        }
    }

    /// Takes an answer, if it was asked for here. The file's own turn may take it as well.
    mutating func take(_ event: AttemptInput) {
        guard case .inspected(let transfer, let inspection) = event,
            let place = asked.removeValue(forKey: transfer)
        else { return }
        // A file that is missing has nothing to move, unless somebody puts it back until its turn.
        let size =
            if case .regularFile(let found) = inspection { found.size } else { ByteCount.zero }
        note(size, of: place)
    }

    mutating func moves(_ place: Int, to progress: Lane.Progress) {
        note(progress.total, of: place)
        moving = progress.done
    }

    /// The size of a file, if it is known.
    func size(of place: Int) -> ByteCount? { sizes[place] }

    /// Counts a file that has arrived in full, and another one as far as it came. A file that was
    /// good already has told no progress, and has the size that was found.
    mutating func ends(_ place: Int, complete: Bool, found: ByteCount?) {
        if sizes[place] == nil { note(complete ? found ?? .zero : moving, of: place) }
        over += complete ? sizes[place] ?? moving : moving
        moving = .zero
    }

    private mutating func note(_ size: ByteCount, of place: Int) {
        guard sizes[place] != size else { return }
        if let known = sizes[place] { total = total - known } else { unknown -= 1 }
        sizes[place] = size
        total += size
    }
}
