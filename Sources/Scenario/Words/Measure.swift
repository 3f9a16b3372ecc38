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

extension Mistakes {
    mutating func size(_ words: PlacedText) -> ByteCount? {
        quantity(words, .size).map(ByteCount.init)
    }

    mutating func time(_ words: PlacedText) -> TimeSpan? {
        quantity(words, .time).map { TimeSpan(nanoseconds: Int64($0)) }
    }

    mutating func rate(_ words: PlacedText) -> Bitrate? {
        guard let bitsPerSecond = quantity(words, .rate) else { return nil }
        guard bitsPerSecond > 0 else {
            add("a rate of zero", at: words.place, expected: "at least 1 bit/s")
            return nil
        }
        return Bitrate(bitsPerSecond: bitsPerSecond)
    }

    /// Returns the quantity in base units; `nil` after a report.
    private mutating func quantity(_ words: PlacedText, _ measure: Measure) -> UInt64? {
        guard let (written, unitName) = numberAndUnit(words, measure.expectation) else {
            return nil
        }
        guard let unit = unit(unitName, after: written, of: words, in: measure) else { return nil }
        guard let number = DecimalNumber(written) else {
            refuseNumber(written, unit: unitName, at: words.place, measure.expectation)
            return nil
        }
        switch number.times(unit.factor) {
        case .whole(let value) where value <= measure.largest: return value
        case .whole, .tooLarge:
            add(
                "“\(words.text)” is out of range", at: words.place,
                expected: "at most \(measure.largestInWords)")
        case .broken(let above):
            add(
                "“\(words.text)” is not a whole number of \(measure.base)", at: words.place,
                expected: "for instance \(above) or \(above + 1) \(measure.base)")
        }
        return nil
    }

    private mutating func unit(
        _ name: String, after written: String, of words: PlacedText, in measure: Measure
    ) -> Measure.Unit? {
        if let unit = measure.units.first(where: { $0.name == name }) { return unit }
        if name.isEmpty {
            add("“\(words.text)” has no unit", at: words.place, expected: measure.expectation)
            return nil
        }
        let meant = measure.units.first { $0.misspellings.contains(name) }?.name
        let nearest = meant ?? Spelling.nearest(to: name, among: measure.units.map(\.name))
        add(
            "“\(name)” is not a unit of \(measure.name.dropArticle)", at: words.place,
            expected: measure.expectation, suggestion: nearest.map { "“\(written) \($0)”" })
        return nil
    }

    /// Splits `1.5 MB` after the number, which is checked later.
    mutating func numberAndUnit(
        _ words: PlacedText, _ expectation: String
    ) -> (number: String, unit: String)? {
        let scalars = words.text.unicodeScalars
        if scalars.first == "-" {
            add("“\(words.text)” is negative", at: words.place, expected: expectation)
            return nil
        }
        let number = scalars.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
        guard !number.isEmpty else {
            add(
                "“\(words.text)” does not begin with a number", at: words.place,
                expected: expectation)
            return nil
        }
        let unit = scalars[number.endIndex...].drop { $0 == " " }
        return (String(number), String(unit))
    }

    mutating func refuseNumber(
        _ written: String, unit: String, at place: Place, _ expectation: String
    ) {
        let pointed = written.split(separator: ",", omittingEmptySubsequences: false)
            .joined(separator: ".")
        let isComma = written.contains(",") && DecimalNumber(pointed) != nil
        add(
            "“\(written)” is not a number", at: place, expected: expectation,
            suggestion: isComma ? "“\(pointed)\(unit.isEmpty ? "" : " ")\(unit)”" : nil)
    }
}

extension String {
    fileprivate var dropArticle: String { hasPrefix("a ") ? String(dropFirst(2)) : self }
}
