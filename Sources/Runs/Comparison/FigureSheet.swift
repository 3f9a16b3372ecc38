/// Results as figures by subject: what a benchmark leaves, what a baseline holds, and what two of
/// are compared.
package struct FigureSheet: Hashable, Sendable, Codable {
    package var format = Self.currentFormat
    package var subjects: [FigureSubject]
    /// Where it was measured; a sheet without measured figures says nothing of it.
    package var machine: MeasuringMachine?
    package var bars: [Bar]?

    /// The first word tells a reader whether it can understand the rest.
    package static let currentFormat =
        "transferlab-figures/1 (exact figures are simulated, and the same everywhere)"

    package init(subjects: [FigureSubject]) { self.subjects = subjects }

    package func subject(named name: String) -> FigureSubject? {
        subjects.first { $0.name == name }
    }

    /// Whether a bar was not reached; without bars, nothing fell short of one.
    package var hasFallenShort: Bool { bars?.contains { !$0.isHeld } ?? false }
}

/// Something that figures are about: a case of a benchmark, a scenario, a link.
package struct FigureSubject: Hashable, Sendable, Codable {
    package var name: String
    package var about: String?
    /// Simulated: the same in every build, process and machine, until somebody changes what is
    /// simulated.
    package var exact: [String: FigureValue]
    package var measured: [String: MeasuredFigure]

    private enum CodingKeys: String, CodingKey { case name, about, exact, measured }

    package init(
        name: String, about: String? = nil, exact: [String: FigureValue] = [:],
        measured: [String: MeasuredFigure] = [:]
    ) {
        self.name = name
        self.about = about
        self.exact = exact
        self.measured = measured
    }
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

    /// Without what there is none of: a baseline has no measured figures.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(about, forKey: .about)
        if !exact.isEmpty { try container.encode(exact, forKey: .exact) }
        if !measured.isEmpty { try container.encode(measured, forKey: .measured) }
    }
}

/// An exact figure. What has a unit names it last: `completionNanoseconds`, `receivedBytes`.
package enum FigureValue: Hashable, Sendable {
    case whole(UInt64)
    case text(String)

    package var number: Double? {
        guard case .whole(let value) = self else { return nil }
        return Double(value)
    }
}

extension FigureValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .whole(let value): "\(value)"
        case .text(let text): text
        }
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

/// A figure that comes out otherwise each time: the middle of several, and how far they lie apart.
package struct MeasuredFigure: Hashable, Sendable, Codable {
    package var median: Double
    package var least: Double
    package var most: Double
    package var better: Better

    /// Which way is an improvement.
    package enum Better: String, Hashable, Sendable, Codable {
        case more, less, neither
    }

    /// Of at least one sample.
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

/// A figure that has to be reached, and whether it was.
package struct Bar: Hashable, Sendable, Codable {
    package var name: String
    package var figure: MeasuredFigure
    /// What the median must be at least, if more is better, or at most.
    package var bar: Double
    package var unit: String

    package var isHeld: Bool {
        figure.better == .more ? figure.median >= bar : figure.median <= bar
    }
}

/// What a measurement ran on, as honestly as it can be said.
package struct MeasuringMachine: Hashable, Sendable, Codable {
    package var processor: String
    package var cores: Int
    /// `release`, or `debug`, whose speed says nothing.
    package var build: String
    package var repetitions: Int
    /// Processes that wanted a core in the last minute, before and after: more than one of them is
    /// somebody else's.
    package var loadBefore: Double
    package var loadAfter: Double

    /// Whether others wanted the cores, too: then time on the wall tells as much of them.
    package var wasBusy: Bool { max(loadBefore, loadAfter) > Double(cores) }

    package init(
        processor: String, cores: Int, build: String, repetitions: Int, loadBefore: Double,
        loadAfter: Double
    ) {
        self.processor = processor
        self.cores = cores
        self.build = build
        self.repetitions = repetitions
        self.loadBefore = loadBefore
        self.loadAfter = loadAfter
    }
}
