import Reports

/// Results as figures by subject: a benchmark writes a sheet, a baseline is one, and two sheets can
/// be compared.
package struct FigureSheet: Hashable, Sendable, Codable {
    package var format = Self.currentFormat
    package var subjects: [FigureSubject]
    /// The machine of measured figures.
    package var machine: MeasuringMachine?
    package var bars: [Bar]?

    /// The first word is the version.
    package static let currentFormat =
        "transferlab-figures/1 (exact figures are simulated, and the same everywhere)"

    static let schema = FileSchema(
        "figures", "bench --json and baselines: figures by their subjects", format: currentFormat,
        of: FigureSheet.self)

    package func subject(named name: String) -> FigureSubject? {
        subjects.first { $0.name == name }
    }

    /// Whether a bar was missed.
    package var hasFallenShort: Bool { bars?.contains { !$0.isHeld } ?? false }
}

/// The subject of figures: a case of a benchmark, a scenario, a link.
package struct FigureSubject: Hashable, Sendable, Codable {
    package var name: String
    package var about: String?
    /// Simulated figures: the same in every build and on every machine, until somebody changes what
    /// is simulated.
    package var exact: [String: FigureValue] = [:]
    package var measured: [String: MeasuredFigure] = [:]

    private enum CodingKeys: String, CodingKey { case name, about, exact, measured }
}

extension FigureSubject {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            about: try container.decodeIfPresent(String.self, forKey: .about),
            exact: try container.decodeIfPresent([String: FigureValue].self, forKey: .exact) ?? [:],
            measured: try container.decodeIfPresent(
                [String: MeasuredFigure].self, forKey: .measured) ?? [:])
    }

    /// Leaves out empty kinds of figures: a baseline has no measured figures.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(about, forKey: .about)
        if !exact.isEmpty { try container.encode(exact, forKey: .exact) }
        if !measured.isEmpty { try container.encode(measured, forKey: .measured) }
    }
}

/// An exact figure. A unit is the last word of the name: `completionNanoseconds`, `receivedBytes`.
package enum FigureValue: Hashable, Sendable {
    case whole(UInt64)
    case text(String)

    package var number: Double? {
        guard case .whole(let value) = self else { return nil }
        return Double(value)
    }
}

extension FigureValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(UInt64.self) {
            self = .whole(value)
        } else {
            do { self = .text(try container.decode(String.self)) } catch {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "an exact figure is a whole number of at least 0, or a text")
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .whole(let value): try container.encode(value)
        case .text(let text): try container.encode(text)
        }
    }
}

/// A figure that is different each time: the median of several samples, and their range.
package struct MeasuredFigure: Hashable, Sendable, Codable {
    package var median: Double
    package var least: Double
    package var most: Double
    package var better: Better

    /// The direction of an improvement.
    package enum Better: String, Hashable, Sendable, Codable, CaseIterable {
        case more, less, neither
    }

    /// Takes at least one sample.
    package init(_ samples: [Double], better: Better) {
        precondition(!samples.isEmpty, "no median of no samples")
        let sorted = samples.sorted()
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        least = sorted[0]
        most = sorted[sorted.count - 1]
        self.better = better
    }
}

/// A figure that must be reached, and whether it was.
package struct Bar: Hashable, Sendable, Codable {
    package var name: String
    package var figure: MeasuredFigure
    /// The least median if more is better; otherwise the largest.
    package var bar: Double
    package var unit: String

    package var isHeld: Bool {
        figure.better == .more ? figure.median >= bar : figure.median <= bar
    }
}

/// The machine of a measurement.
package struct MeasuringMachine: Hashable, Sendable, Codable {
    package var processor: String
    package var cores: Int
    /// `release`, or `debug`, whose speed means nothing.
    package var build: String
    package var repetitions: Int
    /// The number of processes that wanted a core in the minute before the measurement, and in its
    /// last minute. One of the latter is the benchmark itself.
    package var loadBefore: Double
    package var loadAfter: Double

    /// Whether other programs wanted the cores, too. Then wall time means little.
    package var wasBusy: Bool { max(loadBefore, loadAfter) > Double(cores) }
}
