/// A metric with its samples, as OpenMetrics 1.0 writes it.
struct MetricFamily: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case gauge, counter, info

        /// What the names of samples end in.
        var ending: String {
            switch self {
            case .gauge: ""
            case .counter: "_total"
            case .info: "_info"
            }
        }
    }

    typealias Label = (name: String, value: String)

    private let name: String
    private let kind: Kind
    private let unit: String?
    private let help: String
    private var samples: [String] = []

    /// Describes a metric; its name ends in its unit, if it has one.
    init(_ name: String, _ kind: Kind, unit: String? = nil, help: String) {
        self.name = unit.map { "\(name)_\($0)" } ?? name
        self.kind = kind
        self.unit = unit
        self.help = help
    }

    mutating func add(_ labels: [Label], _ value: some CustomStringConvertible) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
        let braces = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        samples.append("\(name)\(kind.ending)\(braces) \(value)\n")
    }

    /// The lines of the metric; none if it has no samples.
    var text: String {
        guard !samples.isEmpty else { return "" }
        return "# TYPE \(name) \(kind.rawValue)\n"
            + (unit.map { "# UNIT \(name) \($0)\n" } ?? "")
            + "# HELP \(name) \(Self.escaped(help))\n" + samples.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
            .replacing("\"", with: "\\\"")
    }
}
