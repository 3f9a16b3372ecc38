import RunLog
import RunPlan
import TransferEngine

/// The key `app`: what an app does on an occasion, besides what every app does.
///
/// A file numbers the sessions of all apps, an app its own.
enum AppKeys {
    static let shape = Shape.list(of: .pair(of: occasions.shape, to: deeds.shape))

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a list such as “- on completed session 1: enqueue session 2”"
        guard let items = node.items(expected: expectation) else { return }
        for item in items { read(rule: item, &draft) }
        // An unreadable queue has been reported already.
        guard let count = draft.sessionCount, let before = draft.sessionsBefore else { return }
        // A saved session has its number from the first launch on.
        let later = draft.app.later(.queue).filter { draft.app.notEnqueued[$0] != .saved }
        let first = later.filter { draft.app.notEnqueued[$0] == nil }.min() ?? count + 1
        for number in first...max(first, count)
        where number <= count && !later.contains(number) {
            node.refuse(
                "session \(before + number) is added at launch, before session \(before + first)",
                expected: "sessions that are added later at the end of “queue”")
        }
    }

    private static func read(rule item: YAMLNode, _ draft: inout ScenarioDraft) {
        let expectation = "one entry such as “on launch: do not start”"
        guard let (when, value) = item.entry(expected: expectation) else { return }
        let wanted = "what the app does then, such as “start queue”"
        guard let what = value.text(expected: wanted) else { return }
        let occasion = occasions.read(when, draft)
        let deed = deeds.read(what, draft)
        guard let occasion, let deed else { return }
        let objection: Objection?
        switch deed {
        case .command(let command):
            objection = self.objection(to: command, on: occasion, draft)
            if objection == nil { draft.app.rules.append(AppPlan.Rule(occasion, command)) }
        case .manner(let manner):
            objection = AppMannersPhrases.add(manner, on: occasion, to: &draft.app.manners)
        }
        if let objection { what.refuse(objection) }
    }

    private enum Deed {
        case command(AppPlan.Command)
        case manner(AppMannersPhrases.Manner)
    }

    private static func objection(
        to command: AppPlan.Command, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> Objection? {
        switch (command, occasion) {
        case (.item(.begin, let item), _), (.item(.beginUnlessListed, let item), _):
            return objection(toBeginning: item, on: occasion, draft)
        // A transfer that cannot continue would be suspended at once, again and again.
        case (.item(.resume, let item), .suspended) where item.facade == .bucket:
            return Objection(
                "\(draft.before.name(item)) would be resumed at once, again and again",
                "“5 s after transfer 1 comes to rest: transfer 1 is resumed” in the timeline")
        case (.start, .storeSetAside), (.doNotStart, .storeSetAside):
            return Objection(
                "the app hears this during its launch, when it is too late for “do not start”",
                "“enqueue session 1” there, and the rest on a launch")
        case (.item(_, let item), .launch) where item.facade != .queue: return nil
        case (.stop, .launch), (.item, .launch), (.move, .launch), (.insert, .launch),
            (.change, .launch), (.shorten, .launch), (.addPath, .launch), (.save, .launch),
            (.deleteAccount, .launch), (.listen, .launch):
            return Objection(
                "at a launch the app does not yet know what is in its queue",
                "“on completed session 1”, or “when app launched” in the timeline")
        case (.doNotStart, .launch), (.start, _), (.stop, _), (.item, _), (.move, _), (.insert, _),
            (.change, _), (.shorten, _), (.save, _), (.deleteAccount, _), (.addPath, _),
            (.emptyLists, _), (.listen, _), (.signIn, _), (.invalidate, _), (.demarcate, _):
            return nil
        case (.doNotStart, _):
            return Objection("nothing is being started then", "“do not start” on a launch")
        }
    }

    /// Returns the objection to beginning an item: it keeps its number through all launches, and
    /// begins once.
    private static func objection(
        toBeginning item: ItemName, on occasion: AppPlan.Occasion, _ draft: ScenarioDraft
    ) -> Objection? {
        let (facade, kind) = (item.facade, item.facade.rawValue)
        let name = "\(draft.before.name(item))"
        let again = Objection(
            "\(name) would be \(facade.begun) each time",
            (facade == .queue ? "" : "a launch by its number, or ")
                + "the end of a session or another item")
        switch (occasion, facade) {
        case (.storeSetAside, .queue): return nil
        case (.launch, .queue):
            return Objection(
                "\(name) would be added at a launch",
                "“on completed session 1” or “on failed session 1”: the first launch adds the rest")
        case (.woken, _), (.fetch, _), (.canAcceptPaths, _), (.stoppedFile, _),
            (.storeSetAside, _), (.launch(nil), _), (.suspended, _):
            return again
        case (.tasksLost, _) where facade != .background: return again
        // A session that is made is enqueued once, whichever rule comes first.
        case (_, .queue) where draft.app.notEnqueued[Int(item.number)] != nil: return nil
        case _ where draft.app.later(facade).contains(Int(item.number)):
            return Objection("\(name) is \(facade.begun) twice", "each \(kind) once")
        // At most once, unless a store is damaged twice; then the number is taken.
        case (.launch, _), (.tasksLost, _): return nil
        case (.completed(let cause), _), (.failed(let cause), _), (.downloaded(let cause), _):
            guard cause.facade == facade, cause.number >= item.number else { return nil }
            return Objection(
                "\(name) would wait for \(draft.before.name(cause))", "an earlier \(kind)")
        }
    }

    private static let occasions = PhraseBook<AppPlan.Occasion>(
        name: "something that an app is told",
        phrases: [
            Phrase(
                "on launch", "each launch, or only launch N; the first is `on launch 1`",
                means: .launch(nil)),
            Phrase("on launch N") { holes, _ in
                let expectation = "the number of a launch, counted from 1"
                return holes[0].count(in: 1...UInt64(UInt32.max), expectation) {
                    "there is no launch \($0)"
                }.map { .launch(UInt32($0)) }
            },
            Phrase(
                "on store set aside",
                "its store was damaged: the app is told which sessions are lost",
                means: .storeSetAside),
        ] + Facade.allCases.flatMap(\.phrases.occasions))

    private static let deeds = PhraseBook<Deed>(
        name: "something that an app can do",
        phrases: commands.map { $0.map { .command($0) } }
            + AppMannersPhrases.all.map { $0.map { .manner($0) } })

    private static let commands: [Phrase<AppPlan.Command>] =
        [
            Phrase("do not start", "at a launch: the queue stays as it is", means: .doNotStart),
            Phrase(
                "enqueue session N",
                "the session is added by this rule rather than at the first launch, at the end "
                    + "of the queue"
            ) { holes, draft in
                draft.own(.queue, holes[0]).map { .item(.begin, $0) }
            },
            Phrase("save session N", "a session that was only made is kept, outside the queue") {
                holes, draft in
                draft.notEnqueued(holes[0], by: .app).map { .save(Int($0.number)) }
            },
        ]
        + Facade.allCases.flatMap(\.phrases.commands)
}

extension AppPlan {
    /// The rules in plain words; `before` counts the items before the app's own.
    func sentences(
        of app: String? = nil, with sessions: [PlannedSession], before: ItemCounts = ItemCounts()
    ) -> [String] {
        let name = app.map { "“\($0)”" } ?? "the app"
        let deeds = rules.map { rule in
            let deed = rule.command.deed(
                sessions, before, adding: rule.occasion == .storeSetAside ? " again" : "")
            return rule.occasion.sentence("\(name) \(deed)", before)
        }
        let who = app.map { "“\($0)”" } ?? "The app"
        let signsIn = signIn.map { ["\(who) \($0.sentence)."] } ?? []
        return signsIn + accounts.map(\.sentence) + deeds
            + manners.sentences(of: name, before: before)
    }
}

extension AppPlan.Command {
    /// The command as a predicate, such as `adds session 2`.
    func deed(
        _ sessions: [PlannedSession], _ before: ItemCounts = ItemCounts(), adding again: String = ""
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
        case .item(.putOff, let item): "puts \(before.name(item)) off"
        case .item(.beginUnlessListed, let item):
            "makes \(before.name(item)) unless its session has it already"
        case .invalidate(let session, let isCancelling):
            "ends the background session “\(session)”"
                + (isCancelling ? " and cancels its tasks" : " once its tasks have ended")
        case .item(.retry, let item): "retries \(before.name(item))"
        case .item(let step, let item): "\(item.facade.verb(for: step))s \(before.name(item))"
        case .save(let number): "saves \(name(number))"
        case .signIn(nil, _): "signs in with another password"
        case .signIn(let name?, _): "signs in to the account “\(name)” with another password"
        case .deleteAccount(let name): "deletes the account “\(name)”"
        case .move(let number, let index): "moves \(name(number)) to index \(index)"
        case .insert(let number, let index): "adds \(name(number)) at index \(index)"
        case .change(let number, let change): "wants \(name(number)) \(change.words)"
        case .addPath(let session, let path):
            "adds \(sessions[session - 1].words(forPath: path)) to \(name(session))"
        case .emptyLists: "empties the lists of operations that have ended"
        case .shorten(let number): "takes the last file from \(name(number))"
        case .demarcate(true): "lets its queue ask for background time"
        case .demarcate(false): "lets its queue ask for no background time"
        case .listen(true): "sets delegates and observers anew"
        case .listen(false): "takes its delegates and observers away"
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
        case .stoppedFile(let file, let item): "When \(name(item)) stops \(file), \(deed)."
        case .failed(let item): "When \(name(item)) has failed, \(deed)."
        case .suspended(let item): "When \(name(item)) has come to rest, \(deed)."
        case .downloaded(let item): "When \(name(item)) has brought its file, \(deed)."
        case .woken: "When the system runs it in the background for a session, \(deed)."
        case .fetch: "When the system lets it fetch in the background, \(deed)."
        case .tasksLost: "When it hears that the system has lost tasks, \(deed)."
        case .storeSetAside: "When its store was damaged and is set aside, \(deed)."
        }
    }
}
