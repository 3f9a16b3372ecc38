import Quantities
import RunLog

/// The progress of sessions over all of their files, as the app is told of it (A12): no less than
/// what has arrived, never back within an attempt, never beyond the total.
struct ProgressOfSessions: Sendable {
    private var sessions: [ItemName: Session] = [:]
    private var owners: [TransferName: (session: ItemName, file: String)] = [:]
    private(set) var evidence = Evidence<Clause>()

    private struct Session: Sendable {
        var isSet = false
        var reached = ByteCount.zero
        /// The sizes of files, as far as their progress has told them.
        var sizes: [String: ByteCount] = [:]
        var arrived: Set<String> = []
        /// Files that had arrived before the present attempt.
        var arrivedBefore: Set<String> = []
    }

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .engine(.accepts(let session, _, let transfers)) where session.facade == .queue:
            sessions[session, default: Session()].isSet = transfers.count > 1
            for transfer in transfers { owners[transfer.transfer] = (session, transfer.source) }
        case .engine(.attempt(let session, _)):
            let arrived = sessions[session]?.arrived ?? []
            sessions[session]?.arrivedBefore = arrived
            sessions[session]?.reached = .zero
        case .engine(.completes(let transfer)):
            if let (session, file) = owners[transfer] { sessions[session]?.arrived.insert(file) }
        case .engine(.startsOver(let transfer, _)):
            if let (session, file) = owners[transfer] { sessions[session]?.arrived.remove(file) }
        // It may be another size that is good already.
        case .engine(.keepsTarget(let transfer, _)):
            if let (session, file) = owners[transfer] { sessions[session]?.sizes[file] = nil }
        // A kill may have undone that it had arrived.
        case .queue(.callback(let session, .didStartFile(let file))):
            sessions[session]?.arrived.remove(file)
        case .queue(.callback(let name, .progress(let file, let done, let size, let whole?))):
            guard var session = sessions[name] else { return }
            session.sizes[file] = size
            try judge(whole, of: &session, name, moving: done)
            sessions[name] = session
        default: break
        }
    }

    private mutating func judge(
        _ whole: SessionProgress, of session: inout Session, _ name: ItemName,
        moving done: ByteCount
    ) throws(Slip) {
        // any order: they are summed up
        let arrived = session.arrived.reduce(.zero) { $0 + (session.sizes[$1] ?? .zero) }
        if session.isSet {
            evidence.decides(.counted, if: arrived > .zero)
            evidence.decides(.countedAgain, if: !session.arrivedBefore.isEmpty)
        }
        let least = max(arrived + done, session.reached)
        guard whole.done >= least, whole.done <= whole.total ?? whole.done else {
            let most = whole.total.map { " to \($0.bytes)" } ?? ""
            throw Slip(
                expected: "progress of \(name) over all of its files from \(least.bytes)\(most)",
                seen: "it has moved \(whole.done.bytes) bytes of them")
        }
        session.reached = whole.done
    }
}

extension ProgressOfSessions {
    enum Clause: String, ClauseName {
        /// Decided by each progress of a session of which another file has arrived.
        case counted = "progress of a set"
        /// Decided by each progress in an attempt that found files arrived: an engine that counts
        /// those of this attempt alone begins at 0.
        case countedAgain = "progress of a set after a restart"

        var sentence: String {
            switch self {
            case .counted: "a session's progress counts all files that have arrived"
            case .countedAgain: "it counts those that had arrived before it began to run"
            }
        }
    }
}
