import RunLog

/// S7: "A crash at any write of the store leaves the state before or after it, never a loss. Stored
/// paths are relative to the container."
/// A disk may flip bits of a store. That excuses one loss, if the store is set aside with a report
/// and the app is told. It excuses neither an untold loss nor a loss without a disk fault.
struct StoreSurvivesCrash: Invariant {
    private(set) var watch = Watch()
    /// The digest of the confirmed content; an empty store has the digest 0.
    private var promised: UInt64 = 0
    /// Unconfirmed requests in order; a crash may leave any prefix of them.
    private var pending: [Request] = []
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// The phone has lost its power since the store was opened.
    private var powerWasLost = false
    /// The disk could not be read since the store was opened.
    private var diskWasUnreadable = false
    /// The store has refused a change since it was opened.
    private var hasRefused = false
    /// Whether bits have flipped since the store was made; the damage may show only much later.
    private var bitsHaveFlipped = false
    /// Whether a new store has taken the place of the damaged one, which is sure only once the new
    /// one has confirmed a change.
    private var isReplaced = false
    /// The report on the store that is about to be opened.
    private var report: Report?
    /// The name of a store that was set aside, until the app is told.
    private var untold: String?

    private struct Report: Sendable {
        var name: String
        var kept: Int
    }

    private struct Request: Sendable {
        var ticket: UInt64
        var content: UInt64
    }

    var rule: String { "S7" }
    var statement: String {
        "an opened store holds everything that it promised; a store damaged by the disk is set "
            + "aside, and the app is told; stored paths are relative"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        // Clearing an app's data ends all promises.
        case .device(.appDataCleared):
            promised = 0
            pending.removeAll()
            bitsHaveFlipped = false
            isReplaced = false
        case .device(.bitsFlipped):
            bitsHaveFlipped = true
            isReplaced = false
        // The next launch reports it again.
        case .device(.appKilled), .device(.appCrashed): untold = nil
        case .device(.power(.lost, _)): powerWasLost = true
        case .device(.disk(.readsFail, _)): diskWasUnreadable = true
        case .queue(.storeWasSetAside(let name)): if untold == name { untold = nil }
        case .store(let fact): read(fact)
        case .run(.ended): judgeSilence()
        default: break
        }
    }

    /// Excuses the missing report to an app, for a daemon's store.
    mutating func needsNoTelling() { untold = nil }

    private mutating func read(_ fact: StoreFact) {
        switch fact {
        case .requested(let ticket, let content, let paths):
            hasEvidence = true
            evidence.decides(.relativePaths, if: !paths.isEmpty)
            judge(paths)
            ask(Request(ticket: ticket, content: content))
        case .committed(let ticket): commit(ticket)
        case .setAside(let name, _, let kept, _):
            report = Report(name: name, kept: kept.count)
            untold = name
            evidence.decides(.told)
        case .opened(_, let content, let sessions):
            hasEvidence = true
            weighOpening()
            if let report {
                judge(report, opened: content, sessions)
            } else {
                judge(opened: content)
            }
            promised = content
            pending.removeAll()
        case .failed: hasRefused = true
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "the store was never used" }

    var clauses: [DecidedClause] { evidence.all }

    /// Counts what a careless store could have lost.
    private mutating func weighOpening() {
        evidence.decides(.promised, if: promised != 0)
        evidence.decides(.unconfirmed, if: !pending.isEmpty)
        evidence.decides(.powerLoss, if: powerWasLost && promised != 0)
        evidence.decides(.notDamaged, if: diskWasUnreadable && promised != 0)
        evidence.decides(.keptAsReported, if: report.map { $0.kept > 0 } ?? false)
        evidence.decides(.refused, if: hasRefused && promised != 0)
        (powerWasLost, diskWasUnreadable, hasRefused) = (false, false, false)
    }

    /// Adds a request; a repeated request keeps its place, because something before it was refused.
    private mutating func ask(_ request: Request) {
        if let place = pending.firstIndex(where: { $0.ticket == request.ticket }) {
            pending[place] = request
        } else {
            pending.append(request)
        }
    }

    private mutating func commit(_ ticket: UInt64) {
        hasEvidence = true
        guard let index = pending.firstIndex(where: { $0.ticket == ticket }) else {
            return watch.fall(
                expected:
                    "the store confirms only changes that are requested and not yet confirmed",
                seen: "change \(ticket) is confirmed")
        }
        promised = pending[index].content
        pending.removeSubrange(...index)
        if isReplaced { bitsHaveFlipped = false }
    }

    /// Judges the report on a damaged store. The new store is undamaged, and must keep what it
    /// holds.
    private mutating func judge(_ report: Report, opened content: UInt64, _ sessions: Int) {
        self.report = nil
        isReplaced = true
        if sessions != report.kept {
            watch.fall(
                expected: "the store holds the \(report.kept) sessions that were reported as kept",
                seen: "it holds \(sessions)")
        }
        guard !bitsHaveFlipped else { return }
        watch.fall(
            expected: "a store is set aside only if its disk has damaged it",
            seen: isPossible(content)
                ? "it is set aside as \(report.name), though nothing has happened to it"
                : "it is set aside as \(report.name), and the new store does not hold what was "
                    + "promised")
    }

    private mutating func judgeSilence() {
        guard let untold else { return }
        watch.fall(
            expected: "the app is told that its store is set aside as \(untold)",
            seen: "it has not been told when the run ends")
    }

    private func isPossible(_ content: UInt64) -> Bool {
        content == promised || pending.contains { $0.content == content }
    }

    private mutating func judge(opened content: UInt64) {
        guard !isPossible(content) else { return }
        let later =
            pending.isEmpty
            ? "" : ", or the content after one of the \(pending.count) later changes"
        watch.fall(
            expected: "the store holds the content \(Self.hexadecimal(promised)) that it promised"
                + later,
            seen: "it holds \(Self.hexadecimal(content))")
    }

    private mutating func judge(_ paths: [String]) {
        for path in paths {
            // Compares scalars, not characters: a “/” with a combining accent is still a “/” on
            // disk.
            let scalars = path.unicodeScalars
            let steps = scalars.split(separator: "/").map(String.init)
            guard path.isEmpty || scalars.first == "/" || steps.contains("..") else { continue }
            watch.fall(
                expected: "stored paths are relative to the container and stay inside it",
                seen: "“\(path)” is handed to the store")
        }
    }

    private static func hexadecimal(_ digest: UInt64) -> String { String(digest, radix: 16) }
}

extension StoreSurvivesCrash {
    enum Clause: String, ClauseName, CaseIterable {
        /// Decided by each opening of a store that had promised something.
        case promised = "promise kept"
        /// Decided by an opening while a change was handed over and not confirmed: a torn write
        /// would be neither the state before it nor the state after it.
        case unconfirmed = "unconfirmed change"
        /// Decided by an opening after a loss of power: a store that confirms before the disk has
        /// everything loses it.
        case powerLoss = "power loss"
        /// Decided by an opening of an undamaged store whose disk could not be read before.
        case notDamaged = "unreadable is not damaged"
        /// Decided by a damaged store of which some content was kept.
        case keptAsReported = "kept as reported"
        /// Decided by each report on a damaged store.
        case told = "damage told"
        /// Decided by an opening after the store had refused a change: a store that confirms it all
        /// the same does not hold what it has promised.
        case refused = "refused change"
        /// Decided by each change with paths: an absolute path would be found.
        case relativePaths = "relative paths"

        var sentence: String {
            switch self {
            case .promised: "an opened store holds everything that it had promised"
            case .unconfirmed: "a crash leaves an unconfirmed change whole or undone"
            case .powerLoss: "a loss of power loses nothing that was promised"
            case .notDamaged: "a store that could not be read is not set aside as damaged"
            case .keptAsReported: "a new store holds as many items as were reported as kept"
            case .told: "the app is told that its store was damaged"
            case .refused: "a change that the store has refused is not taken for kept"
            case .relativePaths: "stored paths are relative to the container"
            }
        }
    }
}
