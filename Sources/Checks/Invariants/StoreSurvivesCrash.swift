package import RunLog

/// S7: "A crash at any write of the store leaves the state before or after it, never a loss. Stored
/// paths are relative to the container."
///
/// A disk may flip bits of a store. That excuses one loss, where the store is set aside with a
/// report and the app hears of it: neither a loss of which nobody is told, nor one that no disk
/// has brought about.
package struct StoreSurvivesCrash: Check {
    private var watch = Watch()
    /// What the store must at least hold: an empty store has the digest 0.
    private var promised: UInt64 = 0
    /// Asked for since, in order; a crash may leave any prefix of them.
    private var pending: [Request] = []
    private var hasEvidence = false
    /// Since the store was made; what they have changed may be read only much later.
    private var bitsHaveFlipped = false
    /// The report on the store that is opened next.
    private var report: Report?
    /// The name of a store that was set aside, and of which the app has not heard yet.
    private var untold: String?

    private struct Report: Sendable {
        var name: String
        var kept: Int
    }

    private struct Request: Sendable {
        var ticket: UInt64
        var content: UInt64
    }

    package init() {}

    package var rule: String { "S7" }
    package var statement: String {
        "a store that is opened holds all that it promised, as it was asked for; "
            + "a store that a disk has damaged is set aside, and the app told; "
            + "stored paths are relative"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        // Nothing is kept of what was promised to an app whose data is cleared.
        case .device(.appDataCleared):
            promised = 0
            pending.removeAll()
            bitsHaveFlipped = false
        case .device(.bitsFlipped): bitsHaveFlipped = true
        // The next launch says it again.
        case .device(.appKilled), .device(.appCrashed): untold = nil
        case .queue(.storeWasSetAside(let name)): if untold == name { untold = nil }
        case .store(let fact): read(fact)
        case .run(.ended): judgeSilence()
        default: break
        }
    }

    /// Of a store that is no app's.
    mutating func needsNoTelling() { untold = nil }

    private mutating func read(_ fact: StoreFact) {
        switch fact {
        case .requested(let ticket, let content, let paths):
            hasEvidence = true
            judge(paths)
            ask(Request(ticket: ticket, content: content))
        case .committed(let ticket): commit(ticket)
        case .setAside(let name, _, let kept, _):
            report = Report(name: name, kept: kept.count)
            untold = name
        case .opened(_, let content, let sessions):
            hasEvidence = true
            if let report {
                judge(report, opened: content, sessions)
            } else {
                judge(opened: content)
            }
            promised = content
            pending.removeAll()
        case .failed: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "the store was never used")
    }

    /// What is asked for again stands where it stood: something before it was refused.
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
                expected: "a promise is for a change that was asked for and not yet promised",
                seen: "change \(ticket) is promised")
        }
        promised = pending[index].content
        pending.removeSubrange(...index)
    }

    /// The new store has nothing of the damage: it owes all that it holds from now on.
    private mutating func judge(_ report: Report, opened content: UInt64, _ sessions: Int) {
        self.report = nil
        let mayLose = bitsHaveFlipped
        bitsHaveFlipped = false
        if sessions != report.kept {
            watch.fall(
                expected: "the \(report.kept) sessions that are said to be kept are in the store",
                seen: "it holds \(sessions)")
        }
        guard !mayLose, !isPossible(content) else { return }
        watch.fall(
            expected: "nothing is lost with a store unless its disk has damaged it",
            seen: "it is set aside as \(report.name), and the next one does not hold what was "
                + "promised")
    }

    private mutating func judgeSilence() {
        guard let untold else { return }
        watch.fall(
            expected: "the app is told that its store is set aside as \(untold)",
            seen: "nothing says so when the run ends")
    }

    private func isPossible(_ content: UInt64) -> Bool {
        content == promised || pending.contains { $0.content == content }
    }

    private mutating func judge(opened content: UInt64) {
        guard !isPossible(content) else { return }
        let later = pending.isEmpty ? "" : ", or of one of the \(pending.count) changes after it"
        watch.fall(
            expected: "the store holds the content \(Self.hexadecimal(promised)) that it promised"
                + later,
            seen: "it holds \(Self.hexadecimal(content))")
    }

    private mutating func judge(_ paths: [String]) {
        for path in paths {
            // Scalars, not characters: a “/” with an accent after it is still a “/” on disk.
            let scalars = path.unicodeScalars
            let steps = scalars.split(separator: "/").map(String.init)
            guard path.isEmpty || scalars.first == "/" || steps.contains("..") else { continue }
            watch.fall(
                expected: "stored paths are relative to the container, and stay inside it",
                seen: "“\(path)” is handed to the store")
        }
    }

    private static func hexadecimal(_ digest: UInt64) -> String { String(digest, radix: 16) }
}
