package import RunLog

/// S7: "A crash at any write of the store leaves the state before or after it, never a loss. Stored
/// paths are relative to the container."
package struct StoreSurvivesCrash: Check {
    private var watch = Watch()
    /// What the store must at least hold: an empty store has the digest 0.
    private var promised: UInt64 = 0
    /// Asked for since, in order; a crash may leave any prefix of them.
    private var pending: [Request] = []
    private var hasEvidence = false

    private struct Request: Sendable {
        var ticket: UInt64
        var content: UInt64
    }

    package init() {}

    package var rule: String { "S7" }
    package var statement: String {
        "a store that is opened holds all that it promised, as it was asked for; "
            + "stored paths are relative"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        // Nothing is kept of what was promised to an app whose data is cleared.
        if case .device(.appDataCleared) = event.fact {
            promised = 0
            pending.removeAll()
        }
        guard case .store(let fact) = event.fact else { return }
        switch fact {
        case .requested(let ticket, let content, let paths):
            hasEvidence = true
            judge(paths)
            pending.append(Request(ticket: ticket, content: content))
        case .committed(let ticket): commit(ticket)
        case .opened(_, let content, _):
            hasEvidence = true
            judge(opened: content)
            promised = content
            pending.removeAll()
        case .failed: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "the store was never used")
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

    private mutating func judge(opened content: UInt64) {
        guard content != promised, !pending.contains(where: { $0.content == content }) else {
            return
        }
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
