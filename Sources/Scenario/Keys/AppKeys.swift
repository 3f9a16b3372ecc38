import RunLog
import RunPlan
import TransferEngine

/// The key `app`: what an app does on an occasion, besides what every app does.
///
/// A file numbers the sessions of all apps, an app its own.
enum AppKeys {
    static let shape = Shape.list(of: .pair(of: occasions.shape, to: deeds.shape))

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a list such as “- on completed session 1: enqueue session 2”"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        for item in items {
            read(rule: item, &draft, &mistakes)
        }
        // Without a readable queue the mistake is there, not here.
        guard let count = draft.sessionCount, let before = draft.sessionsBefore else { return }
        // A saved session has its number from the first launch on.
        let later = draft.app.later(.queue).filter { draft.app.notEnqueued[$0] != .saved }
        let first = later.filter { draft.app.notEnqueued[$0] == nil }.min() ?? count + 1
        for number in first...max(first, count)
        where number <= count && !later.contains(number) {
            mistakes.add(
                "session \(before + number) is added at launch, before session \(before + first)",
                at: node.place,
                expected: "sessions that are added later at the end of “queue”")
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
                expected: "each entry on a line of its own that begins with “- ”")
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
        case (.item(.begin, let item), _):
            return objection(toBeginning: item, on: occasion, draft)
        // A transfer that cannot continue would be suspended at once, again and again.
        case (.item(.resume, let item), .suspended) where item.facade == .bucket:
            return (
                "\(draft.before.name(item)) would be resumed at once, again and again",
                "“5 s after transfer 1 comes to rest: transfer 1 is resumed” in the timeline"
            )
        case (.start, .storeSetAside), (.doNotStart, .storeSetAside):
            return (
                "the app hears this during its launch, when it is too late for “do not start”",
                "“enqueue session 1” there, and the rest on a launch"
            )
        case (.item(_, let item), .launch) where item.facade != .queue: return nil
        case (.stop, .launch), (.item, .launch), (.move, .launch), (.change, .launch),
            (.addPath, .launch), (.save, .launch), (.deleteAccount, .launch):
            return (
                "at a launch the app does not yet know what is in its queue",
                "“on completed session 1”, or “when app launched” in the timeline"
            )
        case (.doNotStart, .launch), (.start, _), (.stop, _), (.item, _), (.move, _), (.change, _),
            (.save, _), (.deleteAccount, _), (.addPath, _), (.emptyLists, _):
            return nil
        case (.doNotStart, _):
            return ("nothing is being started then", "“do not start” on a launch")
        }
    }

    /// Returns the objection to beginning an item: it keeps its number through all launches, and
    /// begins once.
    private static func objection(
        toBeginning item: ItemName, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> (complaint: String, expected: String)? {
        let (facade, kind) = (item.facade, item.facade.rawValue)
        let name = "\(draft.before.name(item))"
        switch (occasion, facade) {
        case (.storeSetAside, .queue): return nil
        case (.launch, .queue):
            return (
                "\(name) would be added at a launch",
                "“on completed session 1” or “on failed session 1”: the first launch adds the rest"
            )
        case (.woken, _), (.canAcceptPaths, _), (.storeSetAside, _), (.launch(nil), _),
            (.tasksLost, .queue), (.tasksLost, .operations), (.tasksLost, .bucket):
            return (
                "\(name) would be \(facade.begun) each time",
                (facade == .queue ? "" : "a launch by its number, or ")
                    + "the end of a session or another item"
            )
        // A session that is made is enqueued once, whichever rule comes first.
        case (_, .queue) where draft.app.notEnqueued[Int(item.number)] != nil: return nil
        case _ where draft.app.later(facade).contains(Int(item.number)):
            return ("\(name) is \(facade.begun) twice", "each \(kind) once")
        // At most once, unless a store is damaged twice; then the number is taken.
        case (.launch, _), (.tasksLost, _): return nil
        case (.completed(let cause), _), (.failed(let cause), _), (.downloaded(let cause), _),
            (.suspended(let cause), _):
            guard cause.facade == facade, cause.number >= item.number else { return nil }
            return ("\(name) would wait for \(draft.before.name(cause))", "an earlier \(kind)")
        }
    }

    private static let occasions = PhraseBook<AppPlan.Occasion>(
        name: "something that an app is told",
        phrases: [
            Phrase("on launch", "each launch, or only launch N; the first is `on launch 1`") {
                _, _, _ in
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
                "on store set aside",
                "its store was damaged: the app is told which sessions are lost"
            ) { _, _, _ in .storeSetAside },
        ] + Facade.queue.occasions(completed: "a session has completed or failed")
            + PathPhrases.occasions + OperationPhrases.occasions + TaskPhrases.occasions
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
                "the session is added by this rule rather than at the first launch, at the end "
                    + "of the queue"
            ) { holes, draft, mistakes in
                draft.items(.queue).own(holes[0], &mistakes).map { .item(.begin, $0) }
            },
            Phrase("save session N", "a session that was only made is kept, outside the queue") {
                holes, draft, mistakes in
                draft.ownNotEnqueued(holes[0], &mistakes).map { .save($0) }
            },
        ]
        + QueueCommands.phrases { words, draft, mistakes in
            draft.items(.queue).own(words, &mistakes).map { Int($0.number) }
        }
        + PathPhrases.commands + OperationPhrases.commands + TaskPhrases.commands
        + TransferPhrases.commands
}

extension AppPlan {
    /// The rules in plain words; `before` counts the items before the app's own.
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
            + manners.sentences(of: name, before: before)
    }
}

extension AppPlan.Command {
    fileprivate func deed(
        adding again: String, _ sessions: [PlannedSession], _ before: ItemCounts
    ) -> String {
        func name(_ number: Int) -> String { "\(before.name(ItemName(UInt64(number))))" }
        return switch self {
        case .start: "starts the queue"
        case .doNotStart: "does not start the queue"
        case .stop: "stops the queue"
        case .item(.begin, let item) where item.facade == .queue:
            "adds \(before.name(item))\(again)"
        case .item(let step, let item) where item.facade == .queue:
            "wants to \(step.rawValue) \(before.name(item))"
        case .item(.retry, let item): "retries \(before.name(item))"
        case .item(let step, let item): "\(item.facade.verb(for: step))s \(before.name(item))"
        case .save(let number): "saves \(name(number))"
        case .deleteAccount(let name): "deletes the account “\(name)”"
        case .move(let number, let index): "moves \(name(number)) to index \(index)"
        case .change(let number, let change): "wants \(name(number)) \(change.words)"
        case .addPath(let session, let path):
            "adds \(sessions[session - 1].words(forPath: path)) to \(name(session))"
        case .emptyLists: "empties the lists of operations that have ended"
        }
    }
}

extension AppPlan.Occasion {
    fileprivate func sentence(_ deed: String, _ before: ItemCounts) -> String {
        func name(_ item: ItemName) -> String { "\(before.name(item))" }
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
