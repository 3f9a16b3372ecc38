import RunLog
import RunPlan

/// The key `app`: what the app does when it hears of something, beside what every app does.
enum AppKeys {
    static let shape = Shape.list(of: .pair(of: occasions.shape, to: commands.shape))

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a list such as “- on completed session 1: enqueue session 2”"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        for item in items {
            guard let rule = rule(item, draft, &mistakes) else { continue }
            draft.app.rules.append(rule)
        }
        // Without a readable queue the fault is there, not here.
        guard let count = draft.sessionCount else { return }
        let first = draft.app.addedLater.min() ?? count + 1
        for number in first...max(first, count)
        where number <= count && !draft.app.addedLater.contains(number) {
            mistakes.add(
                "session \(number) is added at launch, before session \(first)", at: node.place,
                expected: "what is added later behind all others in the queue")
        }
    }

    private static func rule(
        _ item: YAMLNode, _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> AppPlan.Rule? {
        let expectation = "one entry such as “on launch: do not start”"
        guard let pairs = mistakes.pairs(of: item, expected: expectation) else { return nil }
        guard pairs.count == 1, let (when, value) = pairs.first else {
            mistakes.add(
                "\(pairs.count) entries in one", at: item.place,
                expected: "each entry in a line of its own that begins with “- ”")
            return nil
        }
        let wanted = "what the app does then, such as “start queue”"
        guard let what = mistakes.text(of: value, expected: wanted) else { return nil }
        let occasion = occasions.read(when, draft: draft, mistakes: &mistakes)
        let command = commands.read(what, draft: draft, mistakes: &mistakes)
        guard let occasion, let command else { return nil }
        if let objection = objection(to: command, on: occasion, draft.app) {
            mistakes.add(objection.complaint, at: what.place, expected: objection.expected)
            return nil
        }
        return AppPlan.Rule(occasion, command)
    }

    private static func objection(
        to command: AppPlan.Command, on occasion: AppPlan.Occasion, _ app: AppPlan
    ) -> (complaint: String, expected: String)? {
        switch (command, occasion) {
        case (.doNotStart, .completed), (.doNotStart, .failed):
            return ("nothing would be started then", "“do not start” on a launch")
        case (.enqueue(let number), .launch):
            return (
                "session \(number) would be added at a launch",
                "“on completed session 1” or “on failed session 1”: the first launch adds the rest"
            )
        case (.enqueue(let number), _) where app.addedLater.contains(number):
            return ("session \(number) is added twice", "each session once")
        case (.enqueue(let number), .completed(let session)),
            (.enqueue(let number), .failed(let session)):
            guard session.number >= UInt64(number) else { return nil }
            return (
                "session \(number) would wait for session \(session.number)",
                "a session that stands before it in the queue"
            )
        case (.start, _), (.doNotStart, .launch): return nil
        }
    }

    private static let occasions = PhraseBook<AppPlan.Occasion>(
        name: "something that an app is told",
        phrases: [
            Phrase("on launch") { _, _, _ in .launch(nil) },
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
            Phrase("on completed session N") { holes, draft, mistakes in
                draft.session(holes[0], mistakes: &mistakes).map { .completed($0) }
            },
            Phrase("on failed session N") { holes, draft, mistakes in
                draft.session(holes[0], mistakes: &mistakes).map { .failed($0) }
            },
        ])

    private static let commands = PhraseBook<AppPlan.Command>(
        name: "something that an app can do",
        phrases: [
            Phrase("start queue") { _, _, _ in .start },
            Phrase("do not start") { _, _, _ in .doNotStart },
            Phrase("enqueue session N") { holes, draft, mistakes in
                draft.session(holes[0], mistakes: &mistakes).map {
                    .enqueue(Int($0.number))
                }
            },
        ])
}

extension AppPlan.Rule {
    /// The rule in plain words.
    var sentence: String {
        let deed =
            switch command {
            case .start: "starts the queue"
            case .doNotStart: "does not start the queue"
            case .enqueue(let number): "adds session \(number)"
            }
        return switch occasion {
        case .launch(nil): "At each launch the app \(deed)."
        case .launch(let number?): "At launch \(number) the app \(deed)."
        case .completed(let session):
            "When session \(session.number) has completed, the app \(deed)."
        case .failed(let session): "When session \(session.number) has failed, the app \(deed)."
        }
    }
}
