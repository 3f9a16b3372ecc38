import Quantities
import RunLog
import RunPlan

/// An app's unusual behaviour, as one of its rules: `on woken: do not call the handler`.
enum AppMannersPhrases {
    /// A behaviour, before it is checked against its occasion.
    enum Manner: Hashable, Sendable {
        case handlerCalls(Int)
        case handlerAnywhere
        case forgettingFetches
        case keeping(AppManners.Way, path: String)
        case keepingByName(AppManners.KeepingByName)
        case lateSessions(by: TimeSpan)
        case sessionsTwice
        case observers(Int)
        case lettingGo
        case timeTwice, moreTime
    }

    static let all: [Phrase<Manner>] = [
        Phrase(
            "do not call the handler",
            "`on woken`: the app gets a completion handler, and by default calls it once",
            means: .handlerCalls(0)),
        Phrase("call the handler twice", means: .handlerCalls(2)),
        Phrase(
            "call the handler on the delegate queue",
            "`on woken`: the app does not go to the main thread first, as it should if the "
                + "session's delegate queue is its own",
            means: .handlerAnywhere),
        Phrase(
            "do not say what came of it",
            "`on background fetch`: the app does not call the handler, for which the system kills "
                + "it", means: .forgettingFetches),
        // Before the phrase whose path could end like this.
        Phrase(
            "move it to PATH too late",
            "`on downloaded task N`: the app moves the file after the callback has returned, "
                + "when it is gone"
        ) { holes, draft in
            keeping(.movedTooLate, holes[0], draft)
        },
        Phrase(
            "move it to PATH whatever the answer",
            "`on downloaded task N`: the app does not look at the status, and keeps what may be "
                + "the body of an error"
        ) { holes, draft in
            keeping(.movedUnread, holes[0], draft)
        },
        Phrase("copy it to PATH whatever the answer") { holes, draft in
            keeping(.copiedUnread, holes[0], draft)
        },
        Phrase(
            "move it to PATH",
            "`on downloaded task N`: the file is kept, if the server has not refused"
        ) { holes, draft in
            keeping(.moved, holes[0], draft)
        },
        Phrase("copy it to PATH") { holes, draft in
            keeping(.copied, holes[0], draft)
        },
        Phrase(
            "keep downloads in PATH whatever the answer",
            "`on launch`: every downloaded file without a rule is moved into a folder, and called "
                + "as what its request asked for"
        ) { holes, _ in
            holes[0].path(below: "the app's container")
                .map { .keepingByName(.init(in: $0, looksAtStatus: false)) }
        },
        Phrase("keep downloads in PATH") { holes, _ in
            holes[0].path(below: "the app's container")
                .map { .keepingByName(.init(in: $0, looksAtStatus: true)) }
        },
        Phrase(
            "make sessions TIME late",
            "`on launch`: the app makes its background sessions later by this time"
        ) { holes, draft in
            let longest = ScenarioDraft.longestRun
            let time = holes[0].time(expected: "a time above 0 s and up to \(longest)") {
                $0 > .zero && $0 < longest ? nil : "\($0) late is out of range"
            }
            return time.map { .lateSessions(by: $0) }
        },
        Phrase(
            "make sessions twice",
            "`on launch`: the second session with the same identifier is refused, and what it "
                + "hears is lost",
            means: .sessionsTwice),
        Phrase(
            "observe operations twice",
            "`on launch`: two objects of the app observe its upload operations, and hear the same",
            means: .observers(2)),
        Phrase(
            "let go of transfers",
            "`on launch`: the app holds no resumable transfer, but looks each up in its manager's "
                + "list",
            means: .lettingGo),
        Phrase(
            "ask for time twice",
            "`on launch`: the app holds a background task of its own beside each of the engine's",
            means: .timeTwice),
        Phrase(
            "ask for time when it is up",
            "`on launch`: the app begins another background task when its time is up, for which "
                + "the system kills it",
            means: .moreTime),
    ]

    /// Adds a behaviour to the app's, or returns why it does not fit the occasion.
    static func add(
        _ manner: Manner, on occasion: AppPlan.Occasion, to manners: inout AppManners
    ) -> Objection? {
        switch (manner, occasion) {
        case (.handlerCalls(let count), .woken): manners.handlerCalls = count
        case (.keeping(let way, let path), .downloaded(let task)):
            manners.keepings.append(.init(task.number, way, to: path))
        case (.handlerAnywhere, .woken): manners.callsHandlerAnywhere = true
        case (.forgettingFetches, .fetch): manners.forgetsFetches = true
        case (.forgettingFetches, _):
            return Objection("nothing is fetched then", "this answer under “on background fetch”")
        case (.keepingByName(let keeping), .launch(nil)): manners.keepsByName = keeping
        case (.lateSessions(let time), .launch(nil)): manners.sessionsAreLateBy = time
        case (.sessionsTwice, .launch(nil)): manners.makesSessionsTwice = true
        case (.observers(let count), .launch(nil)): manners.observersOfOperations = count
        case (.lettingGo, .launch(nil)): manners.letsGoOfTransfers = true
        case (.timeTwice, .launch(nil)): manners.asksForTimeTwice = true
        case (.moreTime, .launch(nil)): manners.asksForMoreTime = true
        case (.handlerCalls, _), (.handlerAnywhere, _):
            return Objection(
                "the app has no completion handler then", "this answer under “on woken”")
        case (.keeping, _):
            return Objection(
                "there is no downloaded file then", "this answer under “on downloaded task 1”")
        case (.lateSessions, _), (.sessionsTwice, _):
            return Objection("sessions are made at every launch", "this answer under “on launch”")
        case (.observers, _), (.lettingGo, _), (.timeTwice, _), (.moreTime, _), (.keepingByName, _):
            return Objection("it is a habit of every launch", "this answer under “on launch”")
        }
        return nil
    }

    private static func keeping(
        _ way: AppManners.Way, _ words: PlacedText, _ draft: ScenarioDraft
    ) -> Manner? {
        guard let path = words.path(below: "the app's container") else { return nil }
        guard draft.filePaths?.contains(path) != true else {
            return words.refuse(
                "the app already has a file “\(path)”", expected: "a path that is not in use")
        }
        return .keeping(way, path: path)
    }
}

extension ScenarioDraft {
    /// The run's limit is read later than an app's rules.
    fileprivate static let longestRun = TimeSpan.seconds(3600)
}

extension AppManners {
    /// The behaviour in plain words; `before` counts the tasks before the app's own.
    func sentences(of app: String, before: ItemCounts) -> [String] {
        let handler: String? =
            switch handlerCalls {
            case 0: "When the events of a session have ended, \(app) does not call the handler."
            case 1: nil
            default: "When the events of a session have ended, \(app) calls the handler twice."
            }
        let anywhere =
            callsHandlerAnywhere
            ? "\(app) calls the handler without going to the main thread." : nil
        let forgetting =
            forgetsFetches ? "\(app) does not say what its fetches have brought." : nil
        let byName = keepsByName.map {
            "\(app) moves downloads into \($0.folder), each by its name"
                + ($0.looksAtStatus ? "." : ", whatever the answer.")
        }
        let late =
            sessionsAreLateBy == .zero
            ? nil : "At each launch \(app) makes its background sessions \(sessionsAreLateBy) late."
        let twice =
            makesSessionsTwice ? "At each launch \(app) makes its background sessions twice." : nil
        let observing =
            observersOfOperations > 1 ? "Two objects of \(app) observe its operations." : nil
        let lettingGo = letsGoOfTransfers ? "\(app) holds none of its resumable transfers." : nil
        let timeTwice =
            asksForTimeTwice
            ? "With each background task of its engine, \(app) begins one of its own." : nil
        let moreTime =
            asksForMoreTime
            ? "When its background time is up, \(app) begins another background task." : nil
        let habits = [
            handler, anywhere, forgetting, byName, late, twice, observing, lettingGo, timeTwice,
            moreTime,
        ]
        return habits.compactMap(\.self)
            + keepings.map { keeping in
                let task = before[.background] + keeping.task
                let deed =
                    switch keeping.way {
                    case .moved: "moves it to \(keeping.path)"
                    case .copied: "copies it to \(keeping.path)"
                    case .movedUnread: "moves it to \(keeping.path) whatever the answer"
                    case .copiedUnread: "copies it to \(keeping.path) whatever the answer"
                    case .movedTooLate:
                        "moves it to \(keeping.path) once the callback has returned"
                    }
                return "When task \(task) has brought its file, \(app) \(deed)."
            }
    }
}
