import Quantities
package import RunLog

/// S12: "One token refresh in flight; no request with a token known to be rejected. Timers are
/// monotonic: a jump of the wall clock changes nothing."
package struct TokensAndTimers: Check {
    private var watch = Watch()
    private var refreshing: Set<ItemName> = []
    private var rejected: Set<ItemName> = []
    /// Sessions that sleep an error off: when they wake, and whether the clock jumped meanwhile.
    private var pauses: [ItemName: Pause] = [:]
    private var hasEvidence = false

    private struct Pause: Sendable {
        var until: Instant
        var clockJumped = false
    }

    /// What may lie between a timer and the attempt that it begins.
    private static let slack = TimeSpan.seconds(1)

    package init() {}

    package var rule: String { "S12" }
    package var statement: String {
        "a token is refreshed once at a time and not used once rejected, and no jump of the wall "
            + "clock moves a timer"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .engine(.token(let item, let step)): judge(item, step)
        case .engine(.fails(let session, _, _, let pause)):
            pauses[session] = pause.map { Pause(until: event.at + $0) }
        case .engine(.attempt(let session, _)): judgeTimer(of: session, at: event.at)
        // It has slept it off, and has no network that it may use.
        case .engine(.waitsForNetwork(let session, _)): pauses[session] = nil
        case .engine(.moves(let session, _, let to, _)):
            // Whoever is told to go on meanwhile begins when he is told.
            if to != .running, to != .retrying { pauses[session] = nil }
        case .device(.wallClockJumped):
            // any order: each is marked by itself
            pauses = pauses.mapValues { Pause(until: $0.until, clockJumped: true) }
        // Whoever stands still, or begins anew, is late for other reasons.
        case .device(.appEntered(_, .suspended, _)), .device(.appKilled), .device(.appCrashed),
            .device(.power):
            pauses.removeAll()
        // It is to run at once.
        case .queue(.asked(let session, .run)): pauses[session] = nil
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: hasEvidence
                ? nil : "no token was used, and no clock jumped while somebody waited")
    }

    private mutating func judge(_ item: ItemName, _ step: TokenStep) {
        hasEvidence = true
        switch step {
        case .used:
            guard rejected.contains(item) else { return }
            watch.fall(
                expected: "token “\(item)” is not used again, as the server has rejected it",
                seen: "a request goes out with it")
        case .rejected: rejected.insert(item)
        case .refreshBegan:
            guard !refreshing.insert(item).inserted else { return }
            watch.fall(
                expected: "one refresh of token “\(item)” at a time", seen: "another begins")
        case .refreshEnded(let isNew):
            refreshing.remove(item)
            if isNew { rejected.remove(item) }
        }
    }

    private mutating func judgeTimer(of session: ItemName, at now: Instant) {
        guard let pause = pauses.removeValue(forKey: session), pause.clockJumped else { return }
        hasEvidence = true
        guard now < pause.until || now > pause.until + Self.slack else { return }
        watch.fall(
            expected: "\(session) is tried again at \(pause.until), whatever the wall clock shows",
            seen: "it is tried again at \(now)")
    }
}
