import Quantities
import RunLog
import RunPlan

/// All actions of a timeline. A new one is a phrase here, and a sentence in `ActionSentences`.
enum TimelineActions {
    static let book = PhraseBook<TimelineEntry.Action>(
        name: "something that can happen",
        phrases: app + DeviceActions.phrases + NetworkActions.phrases + faults + healings
            + FileActions.phrases + items)

    private static let items: [Phrase<TimelineEntry.Action>] =
        Facade.allCases.flatMap(\.phrases.actions)

    private static let app: [Phrase<TimelineEntry.Action>] = [
        Phrase("app killed", "the process ends at once, without warning", means: .killApp),
        Phrase("app launched", "it starts, as by a tap", means: .launchApp),
    ]

    private static let faults: [Phrase<TimelineEntry.Action>] = [
        Phrase("fault NAME on", "switches a fault of the server on or off") { holes, draft in
            draft.fault(holes[0]).map { .switchFault($0, on: true) }
        },
        Phrase("fault NAME off") { holes, draft in
            draft.fault(holes[0]).map { .switchFault($0, on: false) }
        },
        Phrase("visit NAME", "another client of the server makes the request of this name") {
            holes, draft in
            draft.visit(holes[0]).map { .visit($0) }
        },
    ]

    private static let healings: [Phrase<TimelineEntry.Action>] = [
        Phrase(
            "healing",
            "the end of the chaos: nothing is broken from now on, and every item must end within "
                + "TIME; the default follows from the links"
        ) { _, draft in
            .heal(Healing(name: "healing", within: draft.timeToEnd))
        },
        Phrase("healing within TIME") { holes, draft in
            let within = holes[0].time(
                expected: "a time above 0 and up to that, or a longer “limit”"
            ) {
                $0 > .zero && $0 <= draft.limit
                    ? nil
                    : "that is too long to wait: the run ends at its limit of \(draft.limit)"
            }
            return within.map { .heal(Healing(name: "healing", within: $0)) }
        },
    ]
}

extension ScenarioDraft {
    /// Returns the name of one of the server's faults.
    func fault(_ name: PlacedText) -> String? {
        if faultNames.contains(name.text) { return name.text }
        return name.refuse(
            "there is no fault “\(name.text)”", expected: "a name under “faults” of “server”",
            among: faultNames)
    }

    /// The default time for everything to end once all is repaired.
    fileprivate var timeToEnd: TimeSpan {
        let phones = [[ownApp] + device.apps] + otherPhones.map(\.plan.apps)
        let times = phones.enumerated().map { phone, apps in
            let rest = apps.reduce(ByteCount.zero) { $0 + $1.contentToSend }
            return (links(of: phone).interfaces() ?? []).timeToFinish(
                rest, sessions: apps.reduce(0) { $0 + $1.transfersAtMost },
                security: tcp.security)
        }
        return times.max() ?? .zero
    }
}

extension PlannedApp {
    fileprivate var transfersAtMost: Int {
        sessions.reduce(0) { $0 + max(1, $1.uploads.count) }
            + Facade.allCases.filter { $0 != .queue }.reduce(0) { $0 + app.numbers($1).count }
    }

    fileprivate var contentToSend: ByteCount {
        let sources =
            sessions.flatMap(\.uploads).map(\.source) + app.sources + downloaded
        return sources.reduce(ByteCount.zero) { sum, source in
            sum + (files.first { $0.path == source }?.size ?? .zero)
        }
    }

    /// Downloads of unknown size: objects that the same app has not sent.
    private var downloaded: [String] {
        let sent = sessions.flatMap(\.uploads)
        return sessions.flatMap { session in
            guard case .download(let objects) = session.work else { return [String]() }
            return objects.compactMap { object in
                sent.first { $0.destination == object.source }?.source
            }
        }
    }
}
