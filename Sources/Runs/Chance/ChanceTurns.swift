/// What a user may do to two sessions, one step after the other.
struct ChanceTurns {
    private let one: Int
    private let other: Int
    /// Of the app; `nil`: the first.
    private let app: String?

    init(of one: Int, and other: Int, in app: String?) {
        self.one = one
        self.other = other
        self.app = app
    }

    /// Both are brought somewhere, and then something happens to the first.
    func steps(_ dice: inout ChanceDice) -> [String] {
        let verbs = ["run", "cancel", "stop", "pause", "resume", "remove"]
        let name = app.map { "app \($0)" } ?? "app"
        let away = app == nil ? ["app to background"] : ["app to foreground"]
        let end = dice.pick([
            ["\(dice.pick(verbs)) session \(one)"], ["\(dice.pick(verbs)) session \(one)"],
            stop + start, away, ["\(name) killed", "\(name) launched"],
        ])
        return dice.pick(standings) + end
    }

    /// The user leaves the app, and the network with it: what waits for that has all of the time
    /// that there is in the background.
    func leaving(_ dice: inout ChanceDice) -> [String] {
        let alone = [["run session \(one)"], ["run session \(other)"]]
        return ["app to foreground"] + dice.pick(standings + alone)
            + ["network lost", "app to background"]
    }

    /// The first interrupted for the other, paused, interrupted as it was paused, or paused with
    /// the other before it.
    private var standings: [[String]] {
        let paused = ["run session \(one)", "pause session \(one)"]
        let preempting = ["run session \(other)"]
        return [
            ["run session \(one)"] + preempting, paused, paused + preempting,
            paused + preempting, paused + stop + preempting + start,
        ]
    }

    // Only the queue of the first app can be stopped.
    private var stop: [String] { app == nil ? ["stop queue"] : [] }
    private var start: [String] { app == nil ? ["start queue"] : [] }
}
