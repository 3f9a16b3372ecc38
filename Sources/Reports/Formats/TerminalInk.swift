/// Coloured words for a terminal, or plain ones.
struct TerminalInk: Sendable {
    enum Colour: String {
        case green = "32"
        case red = "31"
        case quiet = "2"
        case strong = "1"
    }

    let isColoured: Bool

    func callAsFunction(_ colour: Colour, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    func mark(isGreen: Bool) -> String { isGreen ? self(.green, "✔") : self(.red, "✘") }

    /// Returns how many of `count` runs are green and red.
    func verdict(isGreen: Bool, red: Int, of count: Int) -> String {
        isGreen
            ? self(.green, "✔ all green") : "\(count - red) green, " + self(.red, "✘ \(red) red")
    }

    /// Returns the breaches of a run, and its command if it is red.
    func details(
        _ judgement: Judgement, _ breaches: [RuleBreach], command: String
    ) -> [String] {
        let lines = breaches.flatMap { breach in
            [
                "    \(breach.title)", "      expected   \(breach.expected)",
                "      seen       \(breach.seen)", "      at         \(breach.occasion)",
            ]
        }
        return lines + (judgement.isGreen ? [] : ["    reproduce  " + self(.strong, command)])
    }
}
