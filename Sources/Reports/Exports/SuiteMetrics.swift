package import Foundation
import Quantities
import RunLog

/// The figures of a suite, or of one run, as OpenMetrics 1.0 text for Prometheus and others.
package enum SuiteMetrics {
    package static func data(for suite: Suite) -> Data {
        var families = [program(of: suite), status(of: suite)]
        families += figures.map { figure in
            var family = figure.family
            for entry in suite.entries {
                if let value = figure.value(entry) { family.add(labels(of: entry), value) }
            }
            return family
        }
        families.append(flows(of: suite))
        families.append(interfaces(of: suite))
        return Data((families.map(\.text).joined() + "# EOF\n").utf8)
    }

    /// Returns the metrics of one run.
    package static func data(for model: ReportModel) -> Data {
        data(for: Suite(entries: [SuiteEntry(model, folder: "")]))
    }

    /// The labels that tell the runs of a suite apart.
    private static func labels(of entry: SuiteEntry) -> [MetricFamily.Label] {
        let group = RunGroup(path: entry.path, entries: [entry])
        var labels: [MetricFamily.Label] = [
            ("folder", group.folder), ("file", entry.path), ("scenario", entry.scenario),
        ]
        if let variant = entry.variant { labels.append(("variant", variant)) }
        labels += [("world", entry.world.rawValue), ("seed", "\(entry.seed)")]
        if let ties = entry.ties { labels.append(("ties", "\(ties)")) }
        return labels
    }

    // MARK: The suite

    private static func program(of suite: Suite) -> MetricFamily {
        var family = MetricFamily(
            "transferlab", .info, help: "The program that played the runs.")
        if let program = suite.program {
            var labels: [MetricFamily.Label] = [("version", program.number)]
            if let commit = program.commit { labels.append(("commit", commit)) }
            family.add(labels, 1)
        }
        return family
    }

    private static func status(of suite: Suite) -> MetricFamily {
        var family = MetricFamily(
            "transferlab_runs", .gauge, help: "Runs by status.")
        for (status, count) in [
            ("green", suite.green), ("red", suite.red), ("not_played", suite.notPlayed.count),
            ("trapped", suite.trapped.count), ("left_out", suite.leftOut.count),
        ] {
            family.add([("status", status)], count)
        }
        return family
    }

    private static func flows(of suite: Suite) -> MetricFamily {
        var family = MetricFamily(
            "transferlab_run_flow_goodput", .gauge, unit: "bits_per_second",
            help: "Bytes of a flow that came through, by the time in which it sent.")
        for entry in suite.entries {
            for flow in entry.performance?.flows ?? [] {
                family.add(
                    labels(of: entry) + [("flow", flow.name)], flow.goodput.bitsPerSecond)
            }
        }
        return family
    }

    private static func interfaces(of suite: Suite) -> MetricFamily {
        var family = MetricFamily(
            "transferlab_run_interface", .counter, unit: "bytes",
            help: "Bytes over an interface of a phone, both ways, headers included.")
        for entry in suite.entries {
            for interface in entry.performance?.interfaces ?? [] {
                family.add(
                    labels(of: entry) + [("interface", interface.name)], interface.bytes.bytes)
            }
        }
        return family
    }

    // MARK: A run

    private struct Figure: Sendable {
        var family: MetricFamily
        var value: @Sendable (SuiteEntry) -> String?

        init(
            _ name: String, _ kind: MetricFamily.Kind, unit: String? = nil, help: String,
            _ value: @escaping @Sendable (SuiteEntry) -> String?
        ) {
            family = MetricFamily("transferlab_run_\(name)", kind, unit: unit, help: help)
            self.value = value
        }
    }

    private static let figures = outcomes + costs

    private static let outcomes = [
        Figure("green", .gauge, help: "1 if all rules of the run held, or else 0.") {
            $0.judgement.isGreen ? "1" : "0"
        },
        Figure("duration", .gauge, unit: "seconds", help: "Time from the run's begin to its end.") {
            $0.duration.secondsText
        },
        Figure(
            "completion", .gauge, unit: "seconds",
            help: "Time from the first activation to the last completion, if all completed."
        ) { $0.completion?.secondsText },
        Figure("items", .gauge, help: "Sessions, operations, tasks and transfers.") {
            "\($0.sessions)"
        },
        Figure("completed_items", .gauge, help: "Items that completed.") { "\($0.completed)" },
        Figure("payload", .gauge, unit: "bytes", help: "Size of all files, as far as known.") {
            "\($0.payload.bytes)"
        },
        Figure(
            "goodput", .gauge, unit: "bits_per_second", help: "Payload by completion time."
        ) { $0.goodput.map { "\($0.bitsPerSecond)" } },
    ]

    private static let costs = [
        Figure(
            "sent_again", .counter, unit: "bytes",
            help: "Body bytes that left the app a second time."
        ) { "\($0.sentAgain.bytes)" },
        Figure("dropped", .counter, unit: "packets", help: "Packets dropped by the links.") {
            "\($0.dropped)"
        },
        Figure(
            "retransmitted", .counter, unit: "packets", help: "Packets that TCP sent again."
        ) { "\($0.retransmitted)" },
        Figure(
            "radio_on", .counter, unit: "seconds", help: "Time of the radios on, tails included."
        ) { $0.performance?.radioOn?.secondsText },
        Figure("energy", .counter, unit: "joules", help: "Energy of the radios.") {
            $0.performance?.millijoules.map { "\(Double($0) / 1_000)" }
        },
    ]
}
