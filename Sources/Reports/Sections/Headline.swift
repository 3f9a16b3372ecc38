import Checks
import Quantities
import RunLog

/// The top of a report: green or red, the reason, and the most important figures.
enum Headline {
    /// Returns the headline; `index` is the way to the suite's page, if there is one.
    static func markup(of model: ReportModel, index: String?) -> Markup {
        let why = model.about?.why ?? ""
        let purpose: Markup = why.isEmpty ? .nothing : "<p class=\"why\">\(why)</p>\n"
        let back = index.map { address -> Markup in
            """
            <nav class="back" aria-label="Suite"><a href="\(address)">← All runs of the suite</a>\
            </nav>

            """
        }
        let state: Markup = model.judgement.isGreen ? "green" : "red"
        return """
            \(back ?? .nothing)<header class="headline \(state)">
            \(HTMLPage.eyebrow(of: model.beginning.world.words, by: model.program))
            <h1>\(model.beginning.scenario)</h1>
            \(purpose)\
            <p class="judgement">\(judgement(of: model))</p>
            \(firstBreach(of: model))
            <dl class="facts">\(facts(of: model))</dl>
            </header>

            """
    }

    private static func judgement(of model: ReportModel) -> Markup {
        let state: Markup = model.judgement.isGreen ? "green" : "red"
        let word = model.judgement.isGreen ? "✔ Green" : "✘ Red"
        let badge: Markup = "<span class=\"badge \(state)\">\(word)</span>"
        let sentence = sentence(of: model)
        // The clients of a server are not judged.
        guard model.beginning.world == .served, model.judgement.isGreen else {
            return "\(badge)\n<span>\(sentence)</span>"
        }
        return "<span>\(model.beginning.sentences.first ?? sentence)</span>"
    }

    private static func sentence(of model: ReportModel) -> String {
        let sentence = model.judgement.sentence
        let ending =
            switch model.ending {
            case .quiet, .stopped: ""
            case .limit: "; \(RunEnding.limit.sentence)"
            case .endless: "; \(RunEnding.endless.sentence)"
            case .crashed: "; \(RunEnding.crashed.sentence)"
            case nil: "; the log ends before the run does"
            }
        // A path is no word of a sentence.
        let isPath = sentence.prefix { !$0.isWhitespace }.contains { "/.".contains($0) }
        let first = isPath ? String(sentence.prefix(1)) : sentence.prefix(1).uppercased()
        return first + sentence.dropFirst() + ending + "."
    }

    /// Returns the first breach of a red run, so that the first screen shows what was expected,
    /// what was seen, and how to play it again.
    private static func firstBreach(of model: ReportModel) -> Markup {
        guard !model.judgement.isGreen else { return .nothing }
        var told: [BreachCause] = []
        let breaches = model.verdicts.ruleBreaches.compactMap { verdict, breach -> Markup? in
            guard verdict.rule != model.judgement.mustFail else { return nil }
            // Several rules often fail for the same cause.
            let cause = model.causes?.first { $0.rule == verdict.rule }
            let isNew = cause.map { cause in !told.contains { $0.isSame(as: cause) } } ?? false
            let story = isNew ? cause.map { CauseMarkup.markup(of: $0, in: model) } : nil
            if isNew, let cause { told.append(cause) }
            return """
                <div class="fallen">\
                <h2>\(RuleBreach(verdict, breach, in: model).title)</h2>
                \(BreachMarkup.markup(of: breach, in: model))
                \(story ?? .nothing)</div>
                """
        }
        return """
            \(Array(breaches.prefix(3)))
            \(again(model.beginning))
            """
    }

    private static func again(_ beginning: RunBeginning) -> Markup {
        guard beginning.world != .served else { return .nothing }
        return """
            <p class="again">Play it again: <code>\(beginning.command)</code></p>
            """
    }

    private static func facts(of model: ReportModel) -> [Markup] {
        let facts = model.figures.service.map { served($0, model) } ?? played(model)
        return facts.map(HTMLPage.fact)
    }

    private static func served(
        _ service: ServiceFigures, _ model: ReportModel
    ) -> [(String, String)] {
        [
            (
                "Clients",
                "\(service.clients.count)\(service.requestsLeftOut > 0 ? " and more" : "")"
            ),
            ("Requests", "\(model.figures.requests)"),
            ("Refused", "\(model.figures.refusals)"),
            ("Published", "\(model.figures.publications)"),
            ("Failed on purpose", "\(service.faults.reduce(0) { $0 + $1.count })"),
            ("Length", model.duration.rounded),
        ]
    }

    private static func played(_ model: ReportModel) -> [(String, String)] {
        let figures = model.figures
        var facts: [(String, String)] = []
        if figures.sessions.count != 1 {
            let kinds = [
                ("Sessions", figures.queued), ("Operations", figures.operations),
                ("Transfers", figures.transfers), ("Tasks", figures.tasks),
            ]
            for (title, rows) in kinds
            where !rows.isEmpty || figures.sessions.isEmpty && title == "Sessions" {
                facts.append(("\(title) completed", "\(rows.completed) of \(rows.count)"))
            }
        }
        let persistent = figures.persistent
        if !persistent.isEmpty {
            facts.append(
                ("Files arrived", "\(persistent.files(\.arrived)) of \(persistent.files(\.added))"))
        }
        if let completion = figures.completion {
            facts.append(("Completed in (from activation)", completion.rounded))
        }
        if let completedAt = figures.completedAt {
            facts.append(("Completed at", completedAt.sinceStart.rounded))
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
        return facts
    }
}

extension RunBeginning.World {
    fileprivate var words: String {
        switch self {
        case .simulated, .live: "\(rawValue) run"
        case .served: "recording of a server"
        }
    }
}
