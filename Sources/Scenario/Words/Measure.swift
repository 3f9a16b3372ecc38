import Quantities

/// A kind of quantity with its units, read exactly: `80 MB`, `250 ms`, `10 Mbit/s`.
struct Measure: Sendable {
    /// The name with its article, such as “a size”.
    let name: String
    let example: String
    let units: [Unit]
    /// The largest value in base units; more is a slip, and sums would overflow.
    let largest: UInt64
    let largestInWords: String
    /// The base unit in the plural, for values that are not whole.
    let base: String

    struct Unit: Sendable {
        let name: String
        let factor: UInt64
        /// Common misspellings, refused with this unit as the suggestion.
        let misspellings: [String]

        init(_ name: String, _ factor: UInt64, instead misspellings: [String] = []) {
            self.name = name
            self.factor = factor
            self.misspellings = misspellings
        }
    }

    static let size = Measure(
        name: "a size", example: "80 MB",
        units: [
            Unit("B", 1, instead: ["byte", "bytes"]),
            Unit("kB", 1_000, instead: ["K", "KB", "Kb", "kb"]),
            Unit("MB", 1_000_000, instead: ["M", "Mb", "mb"]),
            Unit("GB", 1_000_000_000, instead: ["G", "Gb", "gb"]),
            Unit("TB", 1_000_000_000_000, instead: ["T", "Tb", "tb"]),
            Unit("KiB", 1 << 10, instead: ["kiB", "kib", "Ki"]),
            Unit("MiB", 1 << 20, instead: ["mib", "Mi"]),
            Unit("GiB", 1 << 30, instead: ["gib", "Gi"]),
        ],
        largest: 1_000_000_000_000_000, largestInWords: "1000 TB", base: "bytes")

    static let time = Measure(
        name: "a time", example: "250 ms",
        units: [
            Unit("ns", 1), Unit("µs", 1_000), Unit("us", 1_000, instead: ["\u{3BC}s", "usec"]),
            Unit("ms", 1_000_000, instead: ["msec", "millis", "milliseconds"]),
            Unit("s", 1_000_000_000, instead: ["S", "sec", "secs", "second", "seconds"]),
            Unit("min", 60_000_000_000, instead: ["m", "mins", "minute", "minutes"]),
            Unit("h", 3_600_000_000_000, instead: ["H", "hr", "hour", "hours"]),
        ],
        largest: 36_000_000_000_000_000, largestInWords: "10000 h", base: "nanoseconds")

    static let rate = Measure(
        name: "a rate", example: "10 Mbit/s",
        units: [
            Unit("bit/s", 1, instead: ["bps", "b/s"]),
            Unit("kbit/s", 1_000, instead: ["kbps", "Kbps", "kb/s", "Kbit/s", "kbit"]),
            Unit("Mbit/s", 1_000_000, instead: ["mbps", "Mbps", "Mb/s", "mbit/s", "Mbit"]),
            Unit("Gbit/s", 1_000_000_000, instead: ["gbps", "Gbps", "Gb/s", "gbit/s", "Gbit"]),
        ],
        largest: 1_000_000_000_000, largestInWords: "1000 Gbit/s", base: "bits per second")

    var expectation: String {
        "\(name) such as \(example) (units: \(units.map(\.name).joined(separator: ", ")))"
    }
}

extension PlacedText {
    func size() -> ByteCount? { quantity(.size).map(ByteCount.init) }

    func time() -> TimeSpan? { quantity(.time).map { TimeSpan(nanoseconds: Int64($0)) } }

    func rate() -> Bitrate? {
        guard let bitsPerSecond = quantity(.rate) else { return nil }
        guard bitsPerSecond > 0 else {
            return refuse("a rate of zero", expected: "at least 1 bit/s")
        }
        return Bitrate(bitsPerSecond: bitsPerSecond)
    }

    /// Reads a size unless there is a complaint about it.
    func size(expected: String, _ complaint: (ByteCount) -> String?) -> ByteCount? {
        checked(size(), expected: expected, complaint)
    }

    /// Reads a time unless there is a complaint about it.
    func time(expected: String, _ complaint: (TimeSpan) -> String?) -> TimeSpan? {
        checked(self.time(), expected: expected, complaint)
    }

    /// Returns the quantity in base units; `nil` after a report.
    private func quantity(_ measure: Measure) -> UInt64? {
        guard let (written, unitName) = numberAndUnit(measure.expectation),
            let unit = unit(unitName, after: written, in: measure)
        else { return nil }
        guard let number = DecimalNumber(written) else {
            return refuseNumber(written, unit: unitName, measure.expectation)
        }
        switch number.times(unit.factor) {
        case .whole(let value) where value <= measure.largest: return value
        case .whole, .tooLarge:
            return refuse(
                "“\(text)” is out of range", expected: "at most \(measure.largestInWords)")
        case .broken(let above):
            return refuse(
                "“\(text)” is not a whole number of \(measure.base)",
                expected: "for instance \(above) or \(above + 1) \(measure.base)")
        }
    }

    private func unit(
        _ name: String, after written: String, in measure: Measure
    ) -> Measure.Unit? {
        if let unit = measure.units.first(where: { $0.name == name }) { return unit }
        if name.isEmpty {
            return refuse("“\(text)” has no unit", expected: measure.expectation)
        }
        let meant = measure.units.first { $0.misspellings.contains(name) }?.name
        let nearest = meant ?? Spelling.nearest(to: name, among: measure.units.map(\.name))
        return refuse(
            "“\(name)” is not a unit of \(measure.name.dropArticle)",
            expected: measure.expectation, suggestion: nearest.map { "“\(written) \($0)”" })
    }

    /// Splits `1.5 MB` after the number, which is checked later.
    func numberAndUnit(_ expectation: String) -> (number: String, unit: String)? {
        let scalars = text.unicodeScalars
        if scalars.first == "-" {
            return refuse("“\(text)” is negative", expected: expectation)
        }
        let number = scalars.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
        guard !number.isEmpty else {
            return refuse("“\(text)” does not begin with a number", expected: expectation)
        }
        let unit = scalars[number.endIndex...].drop { $0 == " " }
        return (String(number), String(unit))
    }

    func refuseNumber<Value>(
        _ written: String, unit: String, _ expectation: String
    ) -> Value? {
        let pointed = written.split(separator: ",", omittingEmptySubsequences: false)
            .joined(separator: ".")
        let isComma = written.contains(",") && DecimalNumber(pointed) != nil
        return refuse(
            "“\(written)” is not a number", expected: expectation,
            suggestion: isComma ? "“\(pointed)\(unit.isEmpty ? "" : " ")\(unit)”" : nil)
    }
}

extension YAMLNode {
    func size(_ expectation: String = Measure.size.expectation) -> ByteCount? {
        text(expected: expectation)?.size()
    }

    func time() -> TimeSpan? { text(expected: Measure.time.expectation)?.time() }

    func rate() -> Bitrate? { text(expected: Measure.rate.expectation)?.rate() }
}

extension String {
    fileprivate var dropArticle: String { hasPrefix("a ") ? String(dropFirst(2)) : self }
}
