import RunLog
import RunPlan
import TransferEngine

/// The key `app`: what an app does when it hears of something, beside what every app does.
///
/// A file counts the sessions of all apps, and an app its own.
enum AppKeys {
    static let shape = Shape.list(of: .pair(of: occasions.shape, to: deeds.shape))

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a list such as “- on completed session 1: enqueue session 2”"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        for item in items {
            read(rule: item, &draft, &mistakes)
        }
        // Without a readable queue the fault is there, not here.
        guard let count = draft.sessionCount, let before = draft.sessionsBefore else { return }
        // One that is saved has its number from the first launch on.
        let later = draft.app.addedLater.filter { draft.app.notEnqueued[$0] != .saved }
        let first = later.filter { draft.app.notEnqueued[$0] == nil }.min() ?? count + 1
        for number in first...max(first, count)
        where number <= count && !later.contains(number) {
            mistakes.add(
                "session \(before + number) is added at launch, before session \(before + first)",
                at: node.place,
                expected: "what is added later behind all others in the queue")
        }
    }

    private static func read(
        rule item: YAMLNode, _ draft: inout ScenarioDraft, _ mistakes: inout Mistakes
    ) {
        let expectation = "one entry such as “on launch: do not start”"
        guard let pairs = mistakes.pairs(of: item, expected: expectation) else { return }
        guard pairs.count == 1, let (when, value) = pairs.first else {
            mistakes.add(
                "\(pairs.count) entries in one", at: item.place,
                expected: "each entry in a line of its own that begins with “- ”")
            return
        }
        let wanted = "what the app does then, such as “start queue”"
        guard let what = mistakes.text(of: value, expected: wanted) else { return }
        let occasion = occasions.read(when, draft: draft, mistakes: &mistakes)
        let deed = deeds.read(what, draft: draft, mistakes: &mistakes)
        guard let occasion, let deed else { return }
        var objection: (complaint: String, expected: String)?
        switch deed {
        case .command(let command):
            objection = self.objection(to: command, on: occasion, draft)
            if objection == nil { draft.app.rules.append(AppPlan.Rule(occasion, command)) }
        case .manner(let manner):
            objection = AppMannersPhrases.add(manner, on: occasion, to: &draft.app.manners)
        }
        guard let objection else { return }
        mistakes.add(objection.complaint, at: what.place, expected: objection.expected)
    }

    private enum Deed {
        case command(AppPlan.Command)
        case manner(AppMannersPhrases.Manner)
    }

    private static func objection(
        to command: AppPlan.Command, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> (complaint: String, expected: String)? {
        switch (command, occasion) {
        case (.enqueue(let number), _): return objection(toAdding: number, on: occasion, draft)
        case (.task(.made, let number), _): return objection(toMaking: number, on: occasion, draft)
        case (.operation(.added, let number), _):
            return objection(toBeginning: number, on: occasion, draft)
        case (.transfer(.started, let number), _):
            return objection(toStarting: number, on: occasion, draft)
        // What cannot go on would be suspended at the same moment, and so on for ever.
        case (.transfer(.resumed, let number), .suspended):
            return (
                "transfer \(draft.transfersBefore + number) would be resumed at once, again and "
                    + "again",
                "“5 s after transfer 1 comes to rest: transfer 1 is resumed” in the timeline"
            )
        case (.start, .storeSetAside), (.doNotStart, .storeSetAside):
            return (
                "the app hears of that as it is launched, when its queue is started or not",
                "“enqueue session 1” there, and the rest on a launch"
            )
        case (.stop, .launch), (.session, .launch), (.move, .launch), (.change, .launch),
            (.addPath, .launch), (.save, .launch), (.deleteAccount, .launch):
            return (
                "at a launch the app has not heard yet what its queue holds",
                "“on completed session 1”, or “when app launched” in the timeline"
            )
        case (.doNotStart, .launch), (.start, _), (.stop, _), (.session, _), (.move, _),
            (.change, _), (.save, _), (.deleteAccount, _),
            (.addPath, _), (.task, _), (.operation, _), (.emptyLists, _), (.transfer, _):
            return nil
        case (.doNotStart, _):
            return ("nothing would be started then", "“do not start” on a launch")
        }
    }

    private static func objection(
        toAdding number: Int, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> (complaint: String, expected: String)? {
        let before = draft.sessionsBefore ?? 0
        switch occasion {
        case .storeSetAside: return nil
        case .launch:
            return (
                "session \(before + number) would be added at a launch",
                "“on completed session 1” or “on failed session 1”: the first launch adds the rest"
            )
        case .woken, .tasksLost, .canAcceptPaths:
            return (
                "session \(before + number) would be added each time",
                "the end of a session or of a task"
            )
        // What is made is enqueued once, whoever comes first.
        case _ where draft.app.notEnqueued[number] != nil: return nil
        case _ where draft.app.addedLater.contains(number):
            return ("session \(before + number) is added twice", "each session once")
        case .completed(let item), .failed(let item), .downloaded(let item), .suspended(let item):
            guard item.facade == .queue, item.number >= UInt64(number) else { return nil }
            return (
                "session \(before + number) would wait for session "
                    + "\(before + Int(item.number))",
                "a session that stands before it in the queue"
            )
        }
    }

    /// A number is that of one task, through all launches.
    private static func objection(
        toMaking number: Int, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> (complaint: String, expected: String)? {
        let name = "task \(draft.tasksBefore + number)"
        switch occasion {
        case .launch(nil), .woken, .storeSetAside, .canAcceptPaths:
            return (
                "\(name) would be made each time",
                "a launch by its number, or the end of a session or of a task"
            )
        case _ where draft.app.madeLater.contains(number):
            return ("\(name) is made twice", "each task once")
        // Once, unless a store is damaged twice; then the number is taken.
        case .launch, .tasksLost: return nil
        case .completed(let item), .failed(let item), .downloaded(let item), .suspended(let item):
            guard item.facade == .background, item.number >= UInt64(number) else { return nil }
            return (
                "\(name) would wait for task \(draft.tasksBefore + Int(item.number))",
                "a task that stands before it"
            )
        }
    }

    /// A number is that of one operation, through all launches.
    private static func objection(
        toBeginning number: Int, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> (complaint: String, expected: String)? {
        let name = "operation \(draft.operationsBefore + number)"
        switch occasion {
        case .launch(nil), .woken, .tasksLost, .storeSetAside, .canAcceptPaths:
            return (
                "\(name) would be added each time",
                "a launch by its number, or the end of a session or of an operation"
            )
        case _ where draft.app.operationsLater.contains(number):
            return ("\(name) is added twice", "each operation once")
        case .launch: return nil
        case .completed(let item), .failed(let item), .downloaded(let item), .suspended(let item):
            guard item.facade == .operations, item.number >= UInt64(number) else { return nil }
            return (
                "\(name) would wait for operation \(draft.operationsBefore + Int(item.number))",
                "an operation that stands before it"
            )
        }
    }

    /// A number is that of one resumable transfer, through all launches.
    private static func objection(
        toStarting number: Int, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> (complaint: String, expected: String)? {
        let name = "transfer \(draft.transfersBefore + number)"
        switch occasion {
        case .launch(nil), .woken, .tasksLost, .storeSetAside, .canAcceptPaths:
            return (
                "\(name) would be started each time",
                "a launch by its number, or the end of a session or of a transfer"
            )
        case _ where draft.app.transfersLater.contains(number):
            return ("\(name) is started twice", "each transfer once, and “resume” after that")
        case .launch: return nil
        case .completed(let item), .failed(let item), .downloaded(let item), .suspended(let item):
            guard item.facade == .bucket, item.number >= UInt64(number) else { return nil }
            return (
                "\(name) would wait for transfer \(draft.transfersBefore + Int(item.number))",
                "a transfer that stands before it"
            )
        }
    }

    private static let occasions = PhraseBook<AppPlan.Occasion>(
        name: "something that an app is told",
        phrases: [
            Phrase("on launch", "each launch, or that one; the first is `on launch 1`") { _, _, _ in
                .launch(nil)
            },
            Phrase("on launch N") { holes, _, mistakes in
                let expectation = "the number of a launch, counted from 1"
                guard let number = mistakes.count(holes[0], expectation) else { return nil }
                guard number > 0, number <= UInt64(UInt32.max) else {
                    mistakes.add(
                        "there is no launch \(number)", at: holes[0].place, expected: expectation)
                    return nil
                }
                return .launch(UInt32(number))
            },
            Phrase(
                "on store set aside", "its store was damaged: it is told which sessions are lost"
            ) { _, _, _ in .storeSetAside },
            Phrase("on completed session N", "a session has ended, well or not") {
                holes, draft, mistakes in
                draft.ownSession(holes[0], mistakes: &mistakes).map { .completed($0) }
            },
            Phrase("on failed session N") { holes, draft, mistakes in
                draft.ownSession(holes[0], mistakes: &mistakes).map { .failed($0) }
            },
        ] + PathPhrases.occasions + OperationPhrases.occasions + TaskPhrases.occasions
            + TransferPhrases.occasions)

    private static let deeds = PhraseBook<Deed>(
        name: "something that an app can do",
        phrases: commands.map { $0.map { .command($0) } }
            + AppMannersPhrases.all.map { $0.map { .manner($0) } })

    private static let commands: [Phrase<AppPlan.Command>] =
        [
            Phrase("do not start", "at a launch: the queue stays as it is") { _, _, _ in .doNotStart
            },
            Phrase(
                "enqueue session N",
                "the session is not added at the first launch, but then, behind all that are "
                    + "in the queue"
            ) { holes, draft, mistakes in
                draft.ownSession(holes[0], mistakes: &mistakes).map {
                    .enqueue(Int($0.number))
                }
            },
            Phrase("save session N", "a session that was only made is kept, and is in no queue") {
                holes, draft, mistakes in
                draft.ownNotEnqueued(holes[0], &mistakes).map { .save($0) }
            },
        ]
        + QueueCommands.phrases { words, draft, mistakes in
            draft.ownSession(words, mistakes: &mistakes).map { Int($0.number) }
        }
        + PathPhrases.commands + OperationPhrases.commands + TaskPhrases.commands
        + TransferPhrases.commands
}

extension ScenarioDraft {
    /// A session of this app, as the app itself counts it.
    func ownSession(_ words: PlacedText, mistakes: inout Mistakes) -> ItemName? {
        guard let before = sessionsBefore, before > 0 else {
            return session(words, mistakes: &mistakes)
        }
        let expectation = "the number of a session, as the whole file counts them"
        guard let number = mistakes.count(words, expectation), let count = sessionCount else {
            return nil
        }
        guard number > UInt64(before), number <= UInt64(before + count) else {
            let expected =
                switch count {
                case 0: "a session under “queue” of this app"
                case 1: "session \(before + 1), its only one"
                default: "one of sessions \(before + 1) to \(before + count)"
                }
            mistakes.add(
                "session \(number) is none of this app", at: words.place, expected: expected)
            return nil
        }
        return ItemName(number - UInt64(before))
    }
}

extension AppPlan {
    /// The rules in plain words, with so many of each kind counted before the app's own.
    func sentences(
        of app: String? = nil, with sessions: [PlannedSession], before: ItemCounts = ItemCounts()
    ) -> [String] {
        let name = app.map { "“\($0)”" } ?? "the app"
        let deeds = rules.map { rule in
            let deed = rule.command.deed(
                adding: rule.occasion == .storeSetAside ? " again" : "", sessions, before)
            return rule.occasion.sentence("\(name) \(deed)", before)
        }
        return accounts.map(\.sentence) + deeds
            + manners.sentences(of: name, tasksBefore: before.tasks)
    }
}

extension AppPlan.Command {
    fileprivate func deed(
        adding again: String, _ sessions: [PlannedSession], _ before: ItemCounts
    ) -> String {
        switch self {
        case .start: "starts the queue"
        case .doNotStart: "does not start the queue"
        case .stop: "stops the queue"
        case .enqueue(let number): "adds session \(before.sessions + number)\(again)"
        case .save(let number): "saves session \(before.sessions + number)"
        case .deleteAccount(let name): "deletes the account “\(name)”"
        case .session(let verb, let number):
            "wants to \(verb.rawValue) session \(before.sessions + number)"
        case .move(let number, let index):
            "moves session \(before.sessions + number) to index \(index)"
        case .change(let number, let change):
            "wants session \(before.sessions + number) \(change.words)"
        case .addPath(let session, let path):
            "adds \(sessions[session - 1].words(forPath: path)) to session "
                + "\(before.sessions + session)"
        case .task(let step, let number): "\(step.verb)s task \(before.tasks + number)"
        case .operation(.retried, let number):
            "retries operation \(before.operations + number)"
        case .operation(let step, let number):
            "\(step.verb)s operation \(before.operations + number)"
        case .emptyLists: "empties the lists of operations that have ended"
        case .transfer(let step, let number):
            "\(step.verb)s transfer \(before.transfers + number)"
        }
    }
}

extension AppPlan.Occasion {
    fileprivate func sentence(_ deed: String, _ before: ItemCounts) -> String {
        func name(_ item: ItemName) -> String {
            ItemName(item.number + UInt64(before[item.facade]), of: item.facade).description
        }
        return switch self {
        case .launch(nil): "At each launch \(deed)."
        case .launch(let number?): "At launch \(number) \(deed)."
        case .completed(let item): "When \(name(item)) has completed, \(deed)."
        case .canAcceptPaths(let item): "When \(name(item)) can accept paths, \(deed)."
        case .failed(let item): "When \(name(item)) has failed, \(deed)."
        case .suspended(let item): "When \(name(item)) has come to rest, \(deed)."
        case .downloaded(let item): "When \(name(item)) has brought its file, \(deed)."
        case .woken: "When the system runs it in the background for a session, \(deed)."
        case .tasksLost: "When it hears that the system has lost tasks, \(deed)."
        case .storeSetAside: "When its store was damaged and is set aside, \(deed)."
        }
    }
}
