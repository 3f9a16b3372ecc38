/// Other clients of the server in a random scenario: they read whatever they like, and write into a
/// folder of their own, so that no app can blame them.
struct ChanceVisits {
    /// The key of the scenario.
    private(set) var lines: [String] = []
    private(set) var names: [String] = []
    /// What the server grants all its clients.
    private(set) var serverLines: [String] = []

    init(seed: UInt64) {
        var dice = ChanceDice(seed: seed, name: "visits")
        if dice.oneIn(12) {
            serverLines.append("  patience: { request: 20 s, progress: 15 s }")
        }
        if dice.oneIn(12) {
            let door = dice.pick(["open", "missing", "closed", "blocked", "mute"])
            serverLines.append("  paced: \(door)")
        }
        if dice.oneIn(12) { serverLines.append("  connections: \(dice.between(6...12))") }
        guard dice.oneIn(4) else { return }
        for number in 1...dice.between(1...4) {
            let name = "stranger \(number)"
            names.append(name)
            lines.append("  \(name): { \(Self.visit(number, &dice)) }")
        }
        lines.insert("visits:", at: 0)
    }

    private static func visit(_ number: Int, _ dice: inout ChanceDice) -> String {
        var keys: [String]
        switch dice.between(0...5) {
        case 0: keys = [#"raw: 'GET /dav/in/1.bin HTTP/1.1\r\nno field\r\n\r\n'"#]
        case 1: keys = ["ask: PUT /dav/theirs/\(number).bin", "size: \(dice.between(1...90)) kB"]
        case 2:
            keys = [
                "ask: PUT /dav/theirs/\(number).txt", "body: hello",
                "fields: { \(dice.pick(["If-None-Match: '*'", "Expect: 100-continue"])) }",
            ]
        default:
            let (method, folder) = (dice.pick(["GET", "GET", "HEAD"]), dice.pick(["in", "put"]))
            keys = ["ask: \(method) /dav/\(folder)/\(dice.between(1...8)).bin"]
            if dice.oneIn(2) { keys.append("fields: { Range: bytes=100-9000 }") }
        }
        if dice.oneIn(3) { keys.append("connection: shared") }
        if dice.oneIn(4) { keys.append("piece: 900 B, pause: 200 ms") }
        if dice.oneIn(4) { keys.append("hangs-up: yes") }
        return keys.joined(separator: ", ")
    }
}
