/// Series of user actions on two sessions.
struct ChanceTurns {
    let one: Int
    let other: Int
    /// The app's name; `nil`: the first app.
    let app: String?

    /// Brings both sessions into some state, and then does something to the first.
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

    /// Leaves the app without a network, so that a session waits for the whole background time.
    func leaving(_ dice: inout ChanceDice) -> [String] {
        let alone = [["run session \(one)"], ["run session \(other)"]]
        return ["app to foreground"] + dice.pick(standings + alone)
            + ["network lost", "app to background"]
    }

    /// Ways to bring the sessions into a state: the first is interrupted for the other, paused,
    /// both of these, or paused behind the other.
    private var standings: [[String]] {
        let paused = ["run session \(one)", "pause session \(one)"]
        let preempting = ["run session \(other)"]
        return [
            ["run session \(one)"] + preempting, paused, paused + preempting,
            paused + preempting, paused + stop + preempting + start,
        ]
    }

    // Only the first app's queue can be stopped.
    private var stop: [String] { app == nil ? ["stop queue"] : [] }
    private var start: [String] { app == nil ? ["start queue"] : [] }
}
