/// Figures over builds: a row for each figure, with a value for each build that has one.
package struct TrendTable: Hashable, Sendable {
    /// The builds, the oldest first.
    package var builds: [Build]
    package var rows: [Row]

    package struct Build: Hashable, Sendable {
        /// The commit, or the version.
        package var name: String
        package var date: String

        package init(name: String, date: String) {
            self.name = name
            self.date = date
        }
    }

    package struct Row: Hashable, Sendable {
        /// The scenario or the case of the benchmark.
        package var subject: String
        package var figure: String
        package var values: [Value?]
        /// The places at which the figure changed for good.
        package var steps: [Int]

        package init(subject: String, figure: String, values: [Value?], steps: [Int]) {
            self.subject = subject
            self.figure = figure
            self.values = values
            self.steps = steps
        }
    }

    package struct Value: Hashable, Sendable {
        package var number: Double
        /// The value with its unit.
        package var words: String

        package init(number: Double, words: String) {
            self.number = number
            self.words = words
        }
    }

    package init(builds: [Build], rows: [Row]) {
        self.builds = builds
        self.rows = rows
    }
}

extension TrendTable {
    /// Returns the places at which a simulated figure changed: such a figure has no noise.
    package static func exactSteps(in values: [Double?]) -> [Int] {
        var last: Double?
        return values.indices.filter { place in
            guard let value = values[place] else { return false }
            defer { last = value }
            return last.map { $0 != value } ?? false
        }
    }

    /// Returns the places at which a measured figure left the range of the builds before it by more
    /// than this share, and stayed there in the next build.
    package static func measuredSteps(
        in values: [Double?], beyond share: Double = 0.03
    ) -> [Int] {
        let known = values.indices.filter { values[$0] != nil }
        var steps: [Int] = []
        /// The values since the last step, at most five.
        var before: [Double] = []
        for (order, place) in known.enumerated() {
            let value = values[place] ?? 0
            let next = order + 1 < known.count ? values[known[order + 1]] : nil
            if before.count >= 3, let next, let side = side(of: value, among: before, share),
                side == Self.side(of: next, among: before, share)
            {
                steps.append(place)
                before = []
            }
            before = before.suffix(4) + [value]
        }
        return steps
    }

    private enum Side { case below, above }

    private static func side(of value: Double, among range: [Double], _ share: Double) -> Side? {
        guard let least = range.min(), let most = range.max() else { return nil }
        if value > most + most.magnitude * share { return .above }
        return value < least - least.magnitude * share ? .below : nil
    }
}
