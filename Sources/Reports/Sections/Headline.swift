import Checks
import Quantities
import RunLog

/// The top of a report: green or red, why, and the few figures that everybody looks for first.
enum Headline {
    static func markup(of model: ReportModel) -> Markup {
        let state: Markup = model.judgement.isGreen ? "green" : "red"
        let word = model.judgement.isGreen ? "✔ Green" : "✘ Red"
        return """
            <header class="headline \(state)">
            <p class="eyebrow">TransferLab · \(model.beginning.world.rawValue) run</p>
            <h1>\(model.beginning.scenario)</h1>
            <p class="judgement"><span class="badge \(state)">\(word)</span>
            <span>\(sentence(of: model))</span></p>
            \(firstBreach(of: model))
            <dl class="facts">\(facts(of: model))</dl>
            </header>

            """
    }

    private static func sentence(of model: ReportModel) -> String {
        let sentence = model.judgement.sentence
        let ending =
            switch model.ending {
            case .quiet: ""
            case .limit: "; \(RunEnding.limit.sentence)"
            case .crashed: "; \(RunEnding.crashed.sentence)"
            case nil: "; the log breaks off before the run's end"
            }
        return sentence.prefix(1).uppercased() + sentence.dropFirst() + ending + "."
    }

    /// A red run says on the first screen what was expected, what was seen, and how to see it
    /// again.
    private static func firstBreach(of model: ReportModel) -> Markup {
        guard !model.judgement.isGreen else { return .nothing }
        let breaches = model.verdicts.compactMap { verdict -> Markup? in
            guard case .broken(let breach) = verdict.answer,
                verdict.rule != model.judgement.mustFail
            else { return nil }
            return """
                <div class="fallen">\
                <h2>\(RuleBreach(verdict, breach, in: model.events).title)</h2>
                \(BreachMarkup.markup(of: breach, in: model))</div>
                """
        }
        return """
            \(Array(breaches.prefix(3)))
            <p class="again">Play it again: <code>\(model.beginning.command)</code></p>
            """
    }

    private static func facts(of model: ReportModel) -> [Markup] {
        let figures = model.figures
        var facts: [(String, String)] = []
        if figures.sessions.count != 1 {
            let sessions = "\(figures.completed) of \(figures.sessions.count)"
            facts.append(("Sessions completed", sessions))
        }
        if let completion = figures.completion {
            facts.append(("Completed in", completion.rounded))
        }
        if figures.sessions.count == 1, let floor = figures.sessions.first?.floor {
            facts.append(("No faster than", floor.rounded))
        }
        if let goodput = figures.goodput { facts.append(("Goodput", goodput.rounded)) }
        facts.append(("Sent again", figures.sentAgain.rounded))
        if !figures.links.isEmpty {
            facts.append(("Packets dropped", "\(figures.dropped)"))
            facts.append(("Retransmitted", "\(figures.retransmitted)"))
        }
        facts.append(("Launches", "\(figures.launches)"))
        facts.append(("Run length", model.duration.rounded))
        facts.append(("Seed", "\(model.beginning.seed)"))
        return facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }
    }
}
