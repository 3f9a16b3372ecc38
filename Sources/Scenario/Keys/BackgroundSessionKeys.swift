import Quantities
import RunPlan
import TransferClient
import TransferEngine

/// The key `background-sessions`: how an app makes its background sessions, by identifier.
enum BackgroundSessionKeys {
    static let name = "background-sessions"
    static let shape = Shape.mapping(of: .text, to: table.shape)

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation =
            "an identifier for each session, such as “com.example.photos: { cellular: no }”"
        guard let pairs = node.pairs(expected: expectation) else { return }
        for (key, value) in pairs {
            guard let identifier = draft.backgroundSession(key) else { continue }
            var session = PlannedBackgroundSession()
            table.read(value, into: &session)
            draft.app.backgroundSessions[identifier] = session
        }
    }

    private static let table = KeyTable<PlannedBackgroundSession>(
        name: "a background session",
        keys: [
            .optional("cellular", YesOrNo.shape, "`no`: its tasks wait for Wi-Fi") {
                node, session in
                if node.yesOrNo() == false { session.configuration.limits.insert(.noCellular) }
            },
            .yesOrNo(
                "discretionary", "`yes`: its tasks wait for Wi-Fi and a charger",
                \.configuration.isDiscretionary),
            .optional(
                "request-timeout", .time,
                "how long a request may be silent before the system tries again; the default is "
                    + "60 s", \.configuration.requestTimeout
            ) { positive($0, "10 s") },
            .optional(
                "resource-timeout", .time,
                "how long the system tries before it gives a task up; the default is a week",
                \.configuration.resourceTimeout
            ) { positive($0, "1 h") },
            .yesOrNo(
                "launch-events",
                "`no`: the system does not run the app in the background for the session's events",
                \.configuration.sendsLaunchEvents),
            .optional(
                "delegate-queue", .choice(of: Queue.self),
                "where its delegate is called: on the `main` thread, or on a queue of its `own`"
            ) { node, session in
                let queue: Queue? = node.choice(complaint: "a delegate cannot be called on")
                if let queue { session.delegateQueue = queue == .own ? .own : .main }
            },
        ])

    private enum Queue: String, CaseIterable { case main, own }

    private static func positive(_ node: YAMLNode, _ example: String) -> TimeSpan? {
        node.text(expected: Measure.time.expectation)?
            .time(expected: "a time above 0 s such as \(example)") {
                $0 > .zero ? nil : "no request can be answered in \($0)"
            }
    }

    static func sentences(
        _ sessions: [String: PlannedBackgroundSession], of app: String?
    ) -> [String] {
        // any order: they are sorted
        sessions.sorted { $0.key < $1.key }.map { identifier, session in
            let configuration = session.configuration
            let usual = BackgroundConfiguration()
            let notes = [
                configuration.limits.contains(.noCellular) ? "not over cellular" : nil,
                configuration.isDiscretionary ? "over Wi-Fi and with a charger alone" : nil,
                configuration.requestTimeout == usual.requestTimeout
                    ? nil : "with \(configuration.requestTimeout) for a silent request",
                configuration.resourceTimeout == usual.resourceTimeout
                    ? nil : "for \(configuration.resourceTimeout) at most",
                configuration.sendsLaunchEvents
                    ? nil : "without running the app for its events",
                session.delegateQueue == .own
                    ? "with its delegate on a queue of its own" : nil,
            ].compactMap(\.self).joined(separator: ", ")
            let whose = app.map { " of “\($0)”" } ?? ""
            return "The background session “\(identifier)”\(whose) transfers "
                + (notes.isEmpty ? "as usual" : notes) + "."
        }
    }
}
