/// A page around a body, with the style sheet, a script, and the chart library if there is one.
struct HTMLPage {
    var title: String
    var body: Markup
    var charts: ChartLibrary?
    var script: String?
    /// Rules for this page alone.
    var style = ""

    var text: String {
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>\(title)</title>
            <style>\(Markup(verbatim: charts?.style ?? ""))
            \(Markup(verbatim: StyleSheet.text))\(Markup(verbatim: style))</style>
            </head>
            <body>
            <div class="page">
            \(body)
            </div>
            \(scripts)
            </body>
            </html>

            """
        return Isolation.page(page.text)
    }

    private var scripts: Markup {
        [charts?.script, script].compactMap(\.self).reduce(.nothing) {
            "\($0)<script>\(Markup(verbatim: $1))</script>\n"
        }
    }
}

extension HTMLPage {
    /// Makes a page with a green or red headline.
    init(
        headline words: String, of kind: String, by program: ProgramVersion? = nil, isGreen: Bool,
        facts: [(String, String)] = [], main: Markup
    ) {
        let (state, mark, word) = isGreen ? ("green", "✔", "Green") : ("red", "✘", "Red")
        let list: Markup =
            facts.isEmpty ? .nothing : "<dl class=\"facts\">\(facts.map(Self.fact))</dl>\n"
        title = "\(mark) \(words) · TransferLab"
        body = """
            <header class="headline \(state)">
            \(Self.eyebrow(of: kind, by: program))
            <h1>\(words)</h1>
            <p class="judgement"><span class="badge \(state)">\(mark) \(word)</span></p>
            \(list)</header>
            <main>\(main)</main>
            """
    }

    /// Returns the line above a headline: what the page is about, and what has made it.
    static func eyebrow(of kind: String, by program: ProgramVersion?) -> Markup {
        "<p class=\"eyebrow\">\(program?.description ?? "TransferLab") · \(kind)</p>"
    }

    /// Returns an entry of the list of facts in a headline.
    static func fact(_ name: String, _ value: String) -> Markup {
        "<div><dt>\(name)</dt><dd>\(value)</dd></div>"
    }
}
