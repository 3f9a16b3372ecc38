import Reports

extension FigureComparison {
    /// Returns the differences, the measured figures and those of one side only, by subject, and a
    /// summary.
    package func text(left: String, right: String) -> String {
        var lines = ["A  \(left)", "B  \(right)"]
        let told = rows.filter { $0.finding != .same }
        var table = TextTable([.left, .right, .right, .right, .left])
        if !told.isEmpty { table.add(["", "A", "B", "B / A"]) }
        var subject: String?
        for row in told {
            if row.subject != subject { table.add([row.subject]) }
            subject = row.subject
            table.add([
                "  \(row.mark) \(FigureWords.label(of: row.figure))",
                FigureWords.text(row.left, of: row.figure),
                FigureWords.text(row.right, of: row.figure),
                row.ratio.map(FigureWords.ratio) ?? "", row.note,
            ])
        }
        if !told.isEmpty { lines += ["", table.text] }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    private var summary: String {
        var parts: [String] = []
        let differing = count(.differs)
        if count(.same) + differing > 0 {
            parts.append(
                differing == 0
                    ? "All \(count(.same)) exact figures are the same."
                    : "\(differing) of \(count(.same) + differing) exact figures differ.")
        }
        let shown = rows.filter { $0.finding == .shown || $0.finding == .worse }
        let measured = shown.count
        if measured > 0, let tolerance {
            let judged = shown.count { isJudged($0.figure) }
            let share = FigureWords.threeDigits(tolerance * 100)
            parts.append(
                "\(count(.worse)) of \(judged) measured figures are worse by more than "
                    + "\(share) %."
            )
            if judged < measured {
                parts.append("The machine was busy: wall time is shown but not judged.")
            }
        } else if measured > 0 {
            parts.append(
                "\(measured) measured figures are shown but not judged; --within 10% judges them.")
        }
        for finding in [Finding.onlyLeft, .onlyRight] where count(finding) > 0 {
            parts.append("\(count(finding)) figures are \(finding.rawValue).")
        }
        return parts.isEmpty ? "There is nothing to compare." : parts.joined(separator: " ")
    }
}

extension FigureComparison.Row {
    fileprivate var mark: String {
        switch finding {
        case .differs, .worse: "✘"
        case .same, .shown, .onlyLeft, .onlyRight: " "
        }
    }

    fileprivate var note: String {
        switch finding {
        case .differs: "must be the same"
        case .worse: "worse"
        case .onlyLeft, .onlyRight: finding.rawValue
        case .same, .shown: ""
        }
    }
}
