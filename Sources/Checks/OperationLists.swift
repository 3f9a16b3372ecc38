import Quantities
import RunLog

/// The times that ended operations stay in their lists (U2): never shorter than promised, and at
/// most a second longer while the app runs.
struct OperationLists: Sendable {
    private var listed: [ItemName: Entry] = [:]
    private var suspended: Set<UInt16> = []

    private(set) var evidence = Evidence<Clause>()

    private struct Entry: Sendable {
        var clause: Clause
        var app: UInt16
        var from: Instant
        var until: Instant
    }

    private static let completedTime = TimeSpan.seconds(10)
    private static let failedTime = TimeSpan.seconds(60)
    private static let slack = TimeSpan.seconds(1)

    mutating func read(_ event: RunEvent) throws(Slip) {
        let app = event.app ?? 1
        switch event.fact {
        case .operations(let fact): try read(fact, of: app, at: event.at)
        case .device(.appKilled), .device(.appCrashed):
            listed = listed.filter { $0.value.app != app }
            suspended.remove(app)
        case .device(.appEntered(_, .suspended, _)): suspended.insert(app)
        // Operations that became due during the suspension are due now.
        case .device(.appEntered):
            guard suspended.remove(app) != nil else { return }
            listed = listed.mapValues { entry in
                guard entry.app == app else { return entry }
                return Entry(
                    clause: entry.clause, app: app, from: entry.from,
                    until: max(entry.until, event.at))
            }
        case .run(.ended): try judge(at: event.at)
        default: break
        }
    }

    private mutating func read(
        _ fact: OperationFact, of app: UInt16, at now: Instant
    ) throws(Slip) {
        switch fact {
        case .callback(let operation, .completed):
            listed[operation] = Entry(
                clause: .completed, app: app, from: now, until: now + Self.completedTime)
        case .callback(let operation, .failed):
            listed[operation] = Entry(
                clause: .failed, app: app, from: now, until: now + Self.failedTime)
        case .callback(let operation, .added): listed[operation] = nil
        case .flushed:
            listed = listed.mapValues { entry in
                guard entry.app == app else { return entry }
                return Entry(clause: .flushed, app: app, from: entry.from, until: now)
            }
        case .callback(let operation, .agedOut), .callback(let operation, .flushed):
            guard let entry = listed.removeValue(forKey: operation) else { return }
            evidence.decides(entry.clause)
            let isFlushed = fact == .callback(operation, .flushed)
            guard isFlushed == (entry.clause == .flushed) else {
                throw Slip(
                    expected: "\(operation) leaves its list by flushing only if the app flushes",
                    seen: fact.sentence)
            }
            guard now < entry.until || now > entry.until + Self.slack else { return }
            throw Slip(
                expected: "\(operation) leaves its list at \(entry.until), or a second later",
                seen: "it leaves its list at \(now)")
        case .callback(_, .progress), .asked, .refused: break
        }
    }

    private func judge(at now: Instant) throws(Slip) {
        let late = listed.filter {
            !suspended.contains($0.value.app) && $0.value.until + Self.slack < now
        }
        guard let first = late.min(by: { $0.key.number < $1.key.number }) else { return }
        throw Slip(
            expected: "\(first.key) leaves its list at \(first.value.until), or a second later",
            seen: "it is still in its list when the run ends")
    }
}

extension OperationLists {
    /// Each is decided by an ended operation that leaves its list.
    enum Clause: String, ClauseName {
        case completed = "completed operation listed"
        case failed = "failed operation listed"
        case flushed = "flushed operation unlisted"

        var sentence: String {
            switch self {
            case .completed: "a completed operation leaves its list after 10 s (U2)"
            case .failed: "a failed operation leaves its list after 60 s (U2)"
            case .flushed: "an ended operation leaves its list at once when the app flushes it"
            }
        }
    }
}
