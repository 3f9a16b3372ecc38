import Quantities
import RunLog

@testable import Checks

/// A log of phones that ends when nothing is left to happen.
struct PhoneLog {
    typealias Entry = (app: UInt16?, fact: DeviceFact)

    private var events: [RunEvent] = []
    private var now = Instant.start
    private let ending: RunEnding

    /// Lets `apart` pass after each of the first `count` facts.
    init(
        _ entries: [Entry], apart: TimeSpan = .zero, from count: Int = 0,
        ending: RunEnding = .quiet
    ) {
        self.ending = ending
        for (place, entry) in entries.enumerated() {
            add([entry])
            if place + 1 < count { wait(apart) }
        }
    }

    mutating func add(_ entries: [Entry]) {
        events += entries.map { RunEvent(at: now, app: $0.app, .device($0.fact)) }
    }

    mutating func wait(_ span: TimeSpan) { now = now + span }

    private var check: PhoneObeysItsSystem {
        var check = PhoneObeysItsSystem()
        for event in events { check.read(event) }
        check.read(RunEvent(at: now, .run(.ended(ending))))
        return check
    }

    var answer: Verdict.Answer { check.verdict() }

    var slip: Slip? {
        guard case .broken(let breach) = answer else { return nil }
        return Slip(expected: breach.expected, seen: breach.seen)
    }

    func decided(_ clause: String) -> Int? {
        check.clauses.first { $0.name == clause }?.decided
    }
}
