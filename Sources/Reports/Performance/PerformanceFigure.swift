import Foundation
import Quantities

/// A figure of runs that is compared: its name, its value in a run, and its better direction.
enum PerformanceFigure: Hashable, Sendable {
    case completion, goodput, sentAgain
    case bytes(over: String)
    case flow(String)
    case radioOn, energy, queueing, longQueueing, fairness

    /// Returns the figures that at least one of the runs has, in the order of the page.
    static func all(of entries: [SuiteEntry]) -> [PerformanceFigure] {
        var interfaces: [String] = []
        for entry in entries {
            for interface in entry.performance?.interfaces ?? []
            where !interfaces.contains(interface.name) {
                interfaces.append(interface.name)
            }
        }
        var flows: [String] = []
        for flow in entries.flatMap({ $0.performance?.flows ?? [] })
        where !flows.contains(flow.name) {
            flows.append(flow.name)
        }
        let figures: [PerformanceFigure] =
            [.completion, .goodput, .sentAgain] + flows.map { .flow($0) }
            + interfaces.map { .bytes(over: $0) }
            + [.radioOn, .energy, .queueing, .longQueueing, .fairness]
        return figures.filter { figure in entries.contains { figure.value(in: $0) != nil } }
    }

    /// The name in files for programs.
    var key: String {
        switch self {
        case .completion: "completionNanoseconds"
        case .goodput: "goodputBitsPerSecond"
        case .sentAgain: "sentAgainBytes"
        case .bytes(let interface): "bytes over \(interface)"
        case .flow(let name): "flow \(name) bitsPerSecond"
        case .radioOn: "radioOnNanoseconds"
        case .energy: "energyMillijoules"
        case .queueing: "medianQueueingNanoseconds"
        case .longQueueing: "percentile95QueueingNanoseconds"
        case .fairness: "fairness"
        }
    }

    var title: String {
        switch self {
        case .completion: "Completed in"
        case .goodput: "Goodput"
        case .sentAgain: "Sent again"
        case .bytes(let interface): "Over \(interface)"
        case .flow(let name): "Flow \(name)"
        case .radioOn: "Radio on"
        case .energy: "Energy"
        case .queueing: "Queueing, median"
        case .longQueueing: "Queueing, 95 %"
        case .fairness: "Fairness"
        }
    }

    var isMoreBetter: Bool {
        switch self {
        case .goodput, .flow, .fairness: true
        case .completion, .sentAgain, .bytes, .radioOn, .energy, .queueing, .longQueueing: false
        }
    }

    /// Returns the value in the unit of the key.
    func value(in entry: SuiteEntry) -> Double? {
        let figures = entry.performance
        return switch self {
        case .completion: entry.completion.map { Double($0.nanoseconds) }
        case .goodput: entry.goodput.map { Double($0.bitsPerSecond) }
        case .sentAgain: Double(entry.sentAgain.bytes)
        case .bytes(let name):
            figures?.interfaces.first { $0.name == name }.map { Double($0.bytes.bytes) }
        case .flow(let name):
            figures?.flows?.first { $0.name == name }.map { Double($0.goodput.bitsPerSecond) }
        case .radioOn: figures?.radioOn.map { Double($0.nanoseconds) }
        case .energy: figures?.millijoules.map { Double($0) }
        case .queueing: figures?.queueing.map { Double($0.median.nanoseconds) }
        case .longQueueing: figures?.queueing.map { Double($0.percentile95.nanoseconds) }
        case .fairness: figures?.fairness
        }
    }

    /// Returns a value with its unit.
    func words(_ value: Double) -> String {
        switch self {
        case .completion, .radioOn, .queueing, .longQueueing:
            TimeSpan(nanoseconds: Int64(value)).shortened
        case .goodput, .flow:
            Bitrate(bitsPerSecond: max(1, Self.threeDigits(max(0, value)))).description
        case .sentAgain, .bytes:
            (value < 0 ? "-" : "") + ByteCount(Self.threeDigits(value)).description
        case .energy: String(format: value.magnitude < 100_000 ? "%.2f J" : "%.0f J", value / 1_000)
        case .fairness: String(format: "%.3f", value)
        }
    }

    /// Returns the median, and the 5th and 95th percentile unless they look the same.
    func words(_ spread: Spread) -> String {
        words(spread.median) + (range(of: spread).map { " [\($0)]" } ?? "")
    }

    /// Returns the 5th and 95th percentile, with units only if they differ from the median's;
    /// `nil` if they look like the median.
    func range(of spread: Spread) -> String? {
        let ends = [spread.percentile5, spread.percentile95].map(words)
        let median = words(spread.median)
        guard ends != [median, median] else { return nil }
        let unit = Self.unit(of: median)
        let isShort = ends.allSatisfy { Self.unit(of: $0) == unit }
        return ends.map { isShort ? String($0.dropLast(unit.count)) : $0 }.joined(separator: " … ")
    }

    private static func unit(of words: String) -> Substring {
        words.firstIndex(of: " ").map { words[$0...] } ?? ""
    }

    /// Rounds a size or a rate to three digits.
    fileprivate static func threeDigits(_ value: Double) -> UInt64 {
        let size = UInt64(value.magnitude.rounded())
        var unit: UInt64 = 1
        while size / unit >= 1_000 { unit *= 10 }
        return (size + unit / 2) / unit * unit
    }

    /// Returns the median change, and its interval unless it is a point.
    func words(_ change: PairedChange) -> String {
        let parts = parts(change)
        return parts.median + (parts.interval.map { " [\($0)]" } ?? "")
    }

    func parts(_ change: PairedChange) -> (median: String, interval: String?) {
        func told(_ value: Double) -> String {
            if value == 0 { return "0" }
            let sign = value > 0 ? "+" : ""
            return change.isRelative ? sign + Self.percent(value) : sign + words(value)
        }
        guard change.low < change.high else {
            return (change.median == 0 ? "none" : told(change.median), nil)
        }
        return (told(change.median), "\(told(change.low)) … \(told(change.high))")
    }

    /// Returns a share in percent, with enough digits that a change never looks like none.
    static func percent(_ share: Double) -> String {
        let size = share.magnitude * 100
        if size >= 0.001, size < 0.1 { return String(format: "%.3f %%", share * 100) }
        if size < 0.001 { return share < 0 ? "-0.001 %" : "0.001 %" }
        return String(format: size < 10 ? "%.1f %%" : "%.0f %%", share * 100)
    }
}

extension TimeSpan {
    /// The span in one unit with three digits, so that three of them fit into a cell.
    fileprivate var shortened: String {
        let size = nanoseconds.magnitude
        guard size >= 1_000, size < 600_000_000_000 else { return rounded }
        let value = Int64(PerformanceFigure.threeDigits(Double(size)))
        return TimeSpan(nanoseconds: value * nanoseconds.signum()).description
    }
}
