import Checks
import Quantities
import RunLog
import RunPlan

/// Phrases about one item, alike for sessions, operations, tasks and transfers.
extension Facade {
    /// `task 1 fails`: an item by its number in the file.
    func any<Value>(
        _ words: String, _ about: String? = nil,
        _ value: @escaping @Sendable (ItemName) -> Value
    ) -> Phrase<Value> {
        Phrase("\(rawValue) N \(words)", about) { holes, draft in
            draft.any(self, holes[0]).map(value)
        }
    }

    /// `on failed task 1`: an item by its app's own count.
    func own<Value>(
        _ words: String, _ about: String? = nil,
        _ value: @escaping @Sendable (ItemName) -> Value
    ) -> Phrase<Value> {
        Phrase("\(words) \(rawValue) N", about) { holes, draft in
            draft.own(self, holes[0]).map(value)
        }
    }

    /// `task 1 completes within 5 s`; the plan gets the run's limit last.
    func timed(
        _ words: String, _ about: String? = nil,
        _ plan: @escaping @Sendable (ItemName, TimeSpan, TimeSpan) -> ExpectationPlan
    ) -> Phrase<ExpectationPlan> {
        Phrase("\(rawValue) N \(words) TIME", about) { holes, draft in
            both(draft.any(self, holes[0]), draft.reachable(holes[1]))
                .map { plan($0, $1, draft.limit) }
        }
    }

    /// `task 1 is tried again twice`, `no task is tried again`.
    func counted(
        _ words: String, _ about: String? = nil,
        _ happening: @escaping @Sendable (Subject) -> Happening
    ) -> [Phrase<ExpectationPlan>] {
        [
            Phrase("\(rawValue) N \(words) TIMES", about) { holes, draft in
                both(draft.any(self, holes[0]), holes[1].times())
                    .map { .happens(happening(.one($0)), $1) }
            },
            Phrase("no \(rawValue) \(words)", means: .happens(happening(.any(self)), .exactly(0))),
        ]
    }

    /// `task 1 completes within 5 s`, or later than that.
    func completions(_ about: String) -> [Phrase<ExpectationPlan>] {
        [
            timed("completes within", about) { item, time, _ in
                .sessionCompletes(item, within: .zero...time)
            },
            timed("completes after") { item, time, limit in
                .sessionCompletes(item, within: time...limit)
            },
        ]
    }

    func failure(_ about: String? = nil) -> Phrase<ExpectationPlan> {
        timed("fails within", about) { item, time, _ in
            .sessionFails(item, code: nil, within: time)
        }
    }

    /// `task 1 is cancelled`: it fails with this error.
    func failure(_ words: String, code: Int) -> Phrase<ExpectationPlan> {
        any(words) { .sessionFails($0, code: code, within: nil) }
    }

    /// `task 1 is made`: an action of the timeline.
    func actions(_ about: String) -> [Phrase<TimelineEntry.Action>] {
        steps.map { step in
            any("is \(participle(of: step))", about) { .asks(.item(step, $0)) }
        }
    }

    /// `make task 1`: an action of an app's rule.
    func commands(_ about: String) -> [Phrase<AppPlan.Command>] {
        steps.map { step in own(verb(for: step), about) { .item(step, $0) } }
    }

    /// `on completed task 1`: an occasion of an app's rule.
    func occasions(completed: String, failed: String? = nil) -> [Phrase<AppPlan.Occasion>] {
        [
            own("on completed", completed) { .completed($0) },
            own("on failed", failed) { .failed($0) },
        ]
    }

    /// `task 1 starts`, `retries`, `fails`, `completes`: conditions of the timeline.
    func conditions(
        starts: String, retries: Bool = false
    ) -> [Phrase<TimelineCondition.Kind>] {
        [any("starts", starts) { .sessionStarts($0) }]
            + (retries ? [any("retries") { .sessionRetries($0) }] : [])
            + [any("fails") { .sessionFails($0) }, any("completes") { .sessionCompletes($0) }]
    }
}

/// All phrases about the items of one façade.
struct FacadePhrases {
    /// What can happen in a timeline.
    var actions: [Phrase<TimelineEntry.Action>]
    /// What a rule of an app can do.
    var commands: [Phrase<AppPlan.Command>]
    /// What a rule of an app can wait for.
    var occasions: [Phrase<AppPlan.Occasion>]
    var expectations: [Phrase<ExpectationPlan>]
}

extension Facade {
    var phrases: FacadePhrases {
        switch self {
        case .queue:
            FacadePhrases(
                actions: QueueCommands.actions + PathPhrases.actions,
                commands: QueueCommands.phrases(by: .app) + PathPhrases.commands,
                occasions: occasions(completed: "a session has completed or failed")
                    + PathPhrases.occasions,
                expectations: SessionPhrases.all)
        case .operations:
            FacadePhrases(
                actions: OperationPhrases.actions, commands: OperationPhrases.commands,
                occasions: OperationPhrases.occasions, expectations: OperationPhrases.all)
        case .background:
            FacadePhrases(
                actions: TaskPhrases.actions, commands: TaskPhrases.commands,
                occasions: TaskPhrases.occasions, expectations: TaskPhrases.all)
        case .bucket:
            FacadePhrases(
                actions: TransferPhrases.actions, commands: TransferPhrases.commands,
                occasions: TransferPhrases.occasions, expectations: TransferPhrases.all)
        }
    }
}

/// The verbs of each façade for its items.
extension Facade {
    func verb(for step: ItemStep) -> String {
        guard step == .begin else { return step == .putOff ? "put off" : step.rawValue }
        return switch self {
        case .queue: "enqueue"
        case .operations: "add"
        case .background: "make"
        case .bucket: "start"
        }
    }

    func participle(of step: ItemStep) -> String {
        switch step {
        case .begin, .beginUnlessListed: begun
        case .putOff: "put off"
        case .run: "run"
        case .cancel: "cancelled"
        case .stop: "stopped"
        case .pause, .resume, .remove, .terminate: "\(step.rawValue)d"
        case .suspend: "suspended"
        case .retry: "retried"
        }
    }

    /// The participle for an item that begins.
    var begun: String {
        switch self {
        case .queue, .operations: "added"
        case .background: "made"
        case .bucket: "started"
        }
    }
}
