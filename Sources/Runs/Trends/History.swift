import Foundation
package import Reports

/// A file with a line for each build: its medians, so that a trend can be drawn.
package struct History {
    private static let format = "transferlab-history/1"
    /// The number of builds in a trend.
    package static let builds = 100

    /// The results of one build.
    private struct Line: Codable {
        var format: String
        /// The real time, in seconds since 1970.
        var at: Double
        var program: ProgramVersion
        var machine: MeasuringMachine?
        /// Simulated figures by subject, and measured ones.
        var exact: [String: [String: Double]]
        var measured: [String: [String: Double]]
    }

    private var lines: [Line]

    /// Adds the medians of a suite's files.
    package static func append(_ suite: Suite, to path: String) throws(RunFailure) {
        var line = Line(
            format: format, at: Date().timeIntervalSince1970, program: .current, exact: [:],
            measured: [:])
        for file in suite.medians { line.exact[file.subject] = file.figures }
        if let wall = suite.wallSeconds {
            line.measured["all runs"] = ["wallSeconds": wall]
        }
        try append(line, to: path)
    }

    /// Adds the figures of a benchmark.
    package static func append(_ sheet: FigureSheet, to path: String) throws(RunFailure) {
        var line = Line(
            format: format, at: Date().timeIntervalSince1970, program: .current,
            machine: sheet.machine, exact: [:], measured: [:])
        for subject in sheet.subjects {
            line.exact[subject.name] = subject.exact.compactMapValues(\.number)
            line.measured[subject.name] = subject.measured.mapValues(\.median)
        }
        try append(line, to: path)
    }

    private static func append(_ line: Line, to path: String) throws(RunFailure) {
        try Data((RunJSON.text(line, pretty: false) + "\n").utf8)
            .append(to: path, remedy: "choose another file with --history")
    }

    /// Reads a history.
    package init(at path: String) throws(RunFailure) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RunFailure(
                "there is no history at \(path); ./lab run and ./lab bench write one with "
                    + "--history")
        }
        lines = []
        for (number, text) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            do { lines.append(try JSONDecoder().decode(Line.self, from: text)) } catch {
                throw RunFailure(
                    at: path, line: number + 1,
                    "not a line of a history: \(JSONMistake(error, in: text).reason)")
            }
            guard lines[number].format == Self.format else {
                throw RunFailure(
                    at: path, line: number + 1,
                    "its format is “\(lines[number].format)”, not “\(Self.format)”")
            }
        }
        guard !lines.isEmpty else { throw RunFailure("\(path) has no builds yet") }
    }

    /// The figures over the last builds, in the order of their names.
    package var table: TrendTable {
        let lines = self.lines.suffix(Self.builds)
        let builds = lines.map { line in
            TrendTable.Build(
                name: line.program.commit ?? line.program.number, date: Self.date(of: line.at))
        }
        return TrendTable(
            builds: builds,
            rows: rows(of: lines.map(\.exact), steps: TrendTable.exactSteps)
                + rows(of: lines.map(\.measured)) { TrendTable.measuredSteps(in: $0) })
    }

    private func rows(
        of figures: [[String: [String: Double]]], steps: ([Double?]) -> [Int]
    ) -> [TrendTable.Row] {
        let subjects = Set(figures.flatMap(\.keys)).sorted()
        return subjects.flatMap { subject in
            let names = Set(figures.flatMap { $0[subject]?.keys.map(\.self) ?? [] }).sorted()
            return names.map { name in
                let values = figures.map { $0[subject]?[name] }
                return TrendTable.Row(
                    subject: subject, figure: FigureWords.label(of: name),
                    values: values.map { value in
                        value.map {
                            TrendTable.Value(number: $0, words: FigureWords.rounded($0, of: name))
                        }
                    }, steps: steps(values))
            }
        }
    }

    private static func date(of seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds).formatted(
            .iso8601.year().month().day().dateSeparator(.dash))
    }
}
