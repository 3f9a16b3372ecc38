/// What a user may do to two sessions, one step after the other.
enum ChanceTurns {
    static func steps(
        of one: Int, and other: Int, in app: String?, _ dice: inout ChanceDice
    ) -> [String] {
        let verbs = ["run", "cancel", "stop", "pause", "resume", "remove"]
        let name = app.map { "app \($0)" } ?? "app"
        let away = app == nil ? ["app to background"] : ["app to foreground"]
        // Only the queue of the first app can be stopped.
        let stop = app == nil ? ["stop queue"] : []
        let start = app == nil ? ["start queue"] : []
        let ends = [
            ["\(dice.pick(verbs)) session \(one)"], ["\(dice.pick(verbs)) session \(one)"],
            stop + start, away, ["\(name) killed", "\(name) launched"],
        ]
        let preempted = ["run session \(one)", "run session \(other)"]
        let paused = ["run session \(one)", "pause session \(one)"]
        let end = dice.pick(ends)
        return dice.pick([
            preempted + end, paused + end, paused + ["run session \(other)"] + end,
            paused + ["run session \(other)"] + end,
            paused + stop + ["run session \(other)"] + start + end,
        ])
    }
}
