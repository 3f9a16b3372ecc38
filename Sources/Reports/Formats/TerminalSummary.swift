import Quantities
import RunLog

/// The terminal output of a suite: a line for each run, and the details of red runs.
package struct TerminalSummary: Sendable {
    private let ink: TerminalInk
    /// The width of the column of names.
    private let nameWidth: Int

    package init(isColoured: Bool, nameWidth: Int = 44) {
        ink = TerminalInk(isColoured: isColoured)
        self.nameWidth = nameWidth
    }

    /// Returns the line of a run, without a final line break. For a red run, the breaches and the
    /// command follow.
    package func text(for entry: SuiteEntry) -> String {
        let hints = (entry.hints ?? []).map { "    " + hint($0) }
        guard !entry.judgement.isGreen else {
            return ([line(for: entry)] + hints).joined(separator: "\n")
        }
        var lines = [line(for: entry), "    " + ink(.red, plain(entry.judgement.sentence))] + hints
        for breach in entry.breaches { lines += self.lines(for: breach) }
        lines.append("    " + ink(.quiet, "reproduce ") + " " + ink(.strong, plain(entry.command)))
        return lines.joined(separator: "\n")
    }

    /// Returns the lines of a run that trapped.
    package func text(for run: TrappedRun) -> String {
        [
            "\(ink.mark(isGreen: false)) \(plain(run.scenario)), seed \(run.seed)",
            "    " + ink(.red, plain(run.reason)),
            "    " + ink(.quiet, "reproduce ") + " " + ink(.strong, plain(run.command)),
        ].joined(separator: "\n")
    }

    /// Returns the last line: `4 runs: 3 green, ✘ 1 red`.
    package func total(of suite: Suite) -> String {
        let runs = suite.count == 1 ? "1 run" : "\(suite.count) runs"
        let leftOut = suite.leftOut.isEmpty ? "" : ", \(suite.leftOut.count) left out"
        let hints = suite.hints.map { "    " + hint($0) + "\n" }.joined()
        guard !suite.isGreen else {
            return hints + "\(runs): " + ink(.green, "✔ all green") + leftOut
        }
        var parts = ["\(runs): \(suite.green) green"]
        if suite.red > 0 { parts.append(ink(.red, "✘ \(suite.red) red")) }
        if !suite.notPlayed.isEmpty {
            parts.append(ink(.red, "✘ \(suite.notPlayed.count) not played"))
        }
        if !suite.trapped.isEmpty {
            parts.append(ink(.red, "✘ \(suite.trapped.count) trapped"))
        }
        if let interruption = suite.interruption {
            parts.append(ink(.red, "✘ \(interruption.words)"))
        }
        let (unreached, shortfalls) = (suite.unreached, suite.shortfalls)
        if !unreached.isEmpty {
            parts.append(ink(.red, "✘ \(unreached.count) never reached"))
        }
        if !shortfalls.isEmpty {
            parts.append(ink(.red, "✘ \(shortfalls.count) short of evidence"))
        }
        let lines =
            unreached.map { occasion in
                let words = plain("“\(occasion.words)” was reached in no run")
                return "    \(words); required in \(plain(occasion.place))\n"
            }
            + shortfalls.map { shortfall in
                let words = plain("\(shortfall.words); \(shortfall.remedy)")
                return "    \(words); required in \(plain(shortfall.place))\n"
            }
        return hints + lines.joined() + parts.joined(separator: ", ") + leftOut
    }

    private func hint(_ words: String) -> String {
        ink(.quiet, "hint".padding(to: 10)) + " " + plain(words)
    }

    private func line(for entry: SuiteEntry) -> String {
        let mark = ink.mark(isGreen: entry.judgement.isGreen)
        let name = plain(entry.scenario)
        let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
        return "\(mark) \(name)\(padding)  " + ink(.quiet, figures(of: entry))
    }

    private func figures(of entry: SuiteEntry) -> String {
        var words = ["seed \(entry.seed)"]
        if entry.world == .live { words.append("live") }
        if let completion = entry.completion {
            words.append("\(entry.payload.rounded) in \(completion.rounded)")
        } else if entry.endWords.isEmpty, entry.sessions > 0 {
            words.append("no session to complete")
        } else if entry.sessions > 0 {
            words.append("\(entry.endWords) completed")
        } else if let flows = entry.performance?.flows, !flows.isEmpty {
            words += flows.map { "\($0.name) \($0.goodput.rounded)" }
        } else {
            words.append("no session was accepted")
        }
        if let goodput = entry.goodput { words.append(goodput.rounded) }
        if entry.sentAgain > .zero { words.append("\(entry.sentAgain.rounded) sent again") }
        if entry.dropped > 0 {
            words.append("\(entry.dropped) \(entry.dropped == 1 ? "packet" : "packets") dropped")
        }
        if let rule = entry.judgement.mustFail, entry.judgement.isGreen {
            words.append("\(rule) failed, as it must")
        }
        if !entry.limitations.isEmpty { words.append("limited, see the report") }
        return plain(words.joined(separator: ", "))
    }

    private func lines(for breach: RuleBreach) -> [String] {
        var rows = [("expected", breach.expected), ("seen", breach.seen), ("at", breach.occasion)]
        for (place, line) in (breach.because ?? []).enumerated() {
            rows.append((place == 0 ? "why" : "", line))
        }
        if let place = breach.place { rows.append(("required in", place)) }
        let head = "    " + ink(.strong, plain(breach.title))
        return [head]
            + rows.map { name, words in
                let label = name.padding(to: 10)
                return "      " + ink(.quiet, label) + " " + plain(words)
            }
    }

    /// Returns a scenario's text without control characters, because they could disturb the
    /// terminal.
    private func plain(_ text: String) -> String {
        var words = ""
        for scalar in text.unicodeScalars {
            words.unicodeScalars.append(scalar.isPlain ? scalar : scalar == "\n" ? " " : "\u{FFFD}")
        }
        return words
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
