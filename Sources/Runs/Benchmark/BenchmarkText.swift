import Reports

/// A benchmark's sheet for people: the bars, the cost of each case, and the simulated figures.
package struct BenchmarkText {
    private let sheet: FigureSheet

    package init(_ sheet: FigureSheet) { self.sheet = sheet }

    package var text: String {
        [machine, bars, costs, simulated].compactMap(\.self).joined(separator: "\n\n")
    }

    private var machine: String? {
        guard let machine = sheet.machine else { return nil }
        let times = machine.repetitions == 1 ? "once" : "\(machine.repetitions) times in turns"
        var lines = [
            "\(machine.processor), \(machine.cores) cores; each case \(times), medians shown."
        ]
        if machine.build != "release" {
            lines.append("This is a \(machine.build) build: its speed means nothing.")
        }
        let loads = [machine.loadBefore, machine.loadAfter].map(FigureWords.threeDigits)
        lines.append(
            "Load \(loads[0]) before and \(loads[1]) after, including 1 of the benchmark itself.")
        if machine.wasBusy {
            lines.append("The machine was busy: trust core seconds and ratios, not wall time.")
        }
        return lines.joined(separator: "\n")
    }

    private var bars: String? {
        guard let bars = sheet.bars, !bars.isEmpty else { return nil }
        var table = TextTable([.left, .right, .left, .left, .left])
        table.add(["bars", "median", "least … most", "", ""])
        for bar in bars {
            table.add([
                bar.name, Self.words(bar.figure.median, bar.unit),
                Self.words(bar.figure.least, "") + " … " + Self.words(bar.figure.most, ""),
                (bar.figure.better == .more ? "at least " : "at most ")
                    + Self.words(bar.bar, bar.unit),
                bar.isHeld ? "held" : "✘ missed",
            ])
        }
        return table.text
    }

    private var costs: String {
        var table = TextTable([.left] + Array(repeating: .right, count: 8))
        table.add([
            "measured", "per core s", "per wall s", "ns each", "× one flow", "events/core s",
            "wall", "peak", "heap",
        ])
        let base = sheet.subject(named: BenchmarkCase.oneFlow).flatMap(Self.rate)
        for subject in sheet.subjects where !subject.measured.isEmpty {
            let rate = Self.rate(of: subject)
            let isPackets = subject.measured["dataPacketsPerUserSecond"] != nil
            let ratio = base.flatMap { base in isPackets ? rate.map { base / $0 } : nil }
            let cells = [
                subject.name,
                rate.map { FigureWords.rounded($0, of: "") + Self.unit(of: subject) } ?? "",
                Self.counted.lazy.compactMap { Self.median("\($0)PerWallSecond", of: subject) }
                    .first ?? "",
                isPackets ? rate.map { FigureWords.threeDigits(1e9 / $0) } ?? "" : "",
                ratio.map(FigureWords.threeDigits) ?? "",
            ]
            table.add(cells + Self.costColumns.map { Self.median($0, of: subject) ?? "" })
        }
        return table.text
    }

    private var simulated: String {
        let columns = [
            "dataPacketsSent", "dataPacketsDropped", "dataPacketsRetransmitted", "receivedBytes",
            "goodputBitsPerSecond", "completionNanoseconds",
        ]
        var table = TextTable([.left] + Array(repeating: .right, count: columns.count))
        table.add([
            "simulated (exact)", "sent", "dropped", "again", "received", "goodput", "completion",
        ])
        for subject in sheet.subjects {
            let cells = columns.map { name -> String in
                // Whole runs have their payload instead.
                let value =
                    subject.exact[name]
                    ?? (name == "receivedBytes" ? subject.exact["payloadBytes"] : nil)
                return value?.number == nil
                    ? "–" : FigureWords.text(value.map { .exact($0) }, of: name)
            }
            table.add([subject.name] + cells)
        }
        return table.text
    }

    private static func rate(of subject: FigureSubject) -> Double? {
        counted.lazy.compactMap { subject.measured["\($0)PerUserSecond"]?.median }.first
    }

    private static let counted = ["dataPackets", "runs", "operations", "bits"]
    private static let costColumns = [
        "eventsPerUserSecond", "wallSeconds", "peakBytes", "heapBytes",
    ]

    private static func unit(of subject: FigureSubject) -> String {
        let name = counted.first { subject.measured["\($0)PerUserSecond"] != nil }
        return name.map { $0 == "dataPackets" ? "" : " \($0)" } ?? ""
    }

    private static func median(_ name: String, of subject: FigureSubject) -> String? {
        subject.measured[name].map { FigureWords.rounded($0.median, of: name) }
    }

    private static func words(_ value: Double, _ unit: String) -> String {
        FigureWords.rounded(value, of: "") + (unit.isEmpty ? "" : " \(unit)")
    }
}
