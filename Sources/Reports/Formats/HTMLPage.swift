/// A page around a body, with the style sheet and the chart library if there is one.
struct HTMLPage {
    var title: String
    var body: Markup
    var charts: ChartLibrary?

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
            \(Markup(verbatim: StyleSheet.text))</style>
            </head>
            <body>
            <div class="page">
            \(body)
            </div>
            \(scripts)
            </body>
            </html>

            """
        return page.text
    }

    private var scripts: Markup {
        guard let charts else { return .nothing }
        // Only this sequence could end the script element early. In JavaScript, both spellings mean
        // the same.
        let library = charts.script.replacing("</script", with: "<\\/script")
        return """
            <script>\(Markup(verbatim: library))</script>
            <script>\(Markup(verbatim: ChartScript.text))</script>
            """
    }
}

extension HTMLPage {
    /// Makes a page with a green or red headline.
    init(headline words: String, of kind: Markup, isGreen: Bool, main: Markup) {
        let (state, mark, word) = isGreen ? ("green", "✔", "Green") : ("red", "✘", "Red")
        title = "\(mark) \(words) · TransferLab"
        body = """
            <header class="headline \(state)">
            <p class="eyebrow">TransferLab · \(kind)</p>
            <h1>\(words)</h1>
            <p class="judgement"><span class="badge \(state)">\(mark) \(word)</span></p>
            </header>
            <main>\(main)</main>
            """
    }
}
