import Capture
import Foundation
import Quantities
import Reports
import RunLog
import RunPlan
import Scenario
import Simulation

/// A comparison of tshark's reading of a simulated run's captures with the log: tshark sees one end
/// of the network and guesses, and the log tells where and why it is wrong.
///
/// The packets of the log are not kept, so the run is played again. Each frame of the capture must
/// be the packet of the log at the same place.
package struct CaptureExplanation: Encodable {
    /// Whether the log confirms a reason for every difference.
    package let isExplained: Bool
    private let captures: [Explained]

    private struct Explained: Encodable {
        var file: String
        var place: String
        var frames: Int
        var counts: [Count]
        var differences: [Difference]
    }

    /// How many frames tshark and the log give this name.
    private struct Count: Encodable {
        var finding: String
        var tshark: Int
        var log: Int
    }

    private struct Difference: Encodable {
        var frame: Int
        var at: Instant
        var tshark: String
        var log: String
        /// `nil` if the reason is unknown.
        var reason: String?
    }

    /// `path` is the run's folder or its `run.json`.
    package init(of path: String) throws(RunFailure) {
        let run = try RecordedRun(at: path)
        let replay = try Replay(of: path)
        let files = run.model.captureFiles ?? []
        guard !files.isEmpty else {
            throw RunFailure(
                "\(path) has no capture; play it again with: \(run.model.beginning.command) "
                    + "--packets")
        }
        guard Tshark.isInstalled else {
            throw RunFailure("\(Tshark.program) is not installed: sudo apt-get install -y tshark")
        }
        var reader = TruthReader()
        replay.play(into: &reader)
        captures = try files.map { file throws(RunFailure) in
            let isClient = file.name == RunFolder.captureName
            return try Self.explain(
                file, at: run.folder.appending(path: file.name).path,
                isClient ? reader.client : reader.server)
        }
        isExplained = captures.allSatisfy { $0.differences.allSatisfy { $0.reason != nil } }
    }

    package var text: String { captures.map(Self.text).joined(separator: "\n\n") }

    // MARK: Private parts

    /// The packets of a run at each end of the network.
    private struct TruthReader: RunLogReader {
        // Captures have no packets of others, whose flows begin at 0x8000.
        var client = PacketTruth {
            $0.flow < 0x8000 && $0.kind == ($0.link == 0 ? .sent : .delivered)
        }
        var server = PacketTruth {
            $0.flow < 0x8000 && $0.kind == ($0.link == 1 ? .sent : .delivered)
        }

        mutating func read(_ event: RunEvent) {}

        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
            for record in packets {
                client.read(record)
                server.read(record)
            }
        }
    }

    private static func explain(
        _ file: ReportModel.CaptureFile, at path: String, _ truth: PacketTruth
    ) throws(RunFailure) -> Explained {
        do throws(CaptureError) {
            try check(path, against: truth)
            let tshark = try Tshark(reading: path)
            return Explained(
                file: file.name, place: file.place, frames: truth.frames.count,
                counts: counts(of: tshark, truth),
                differences: TsharkDifferences(tshark, truth).lines.map { line in
                    Difference(
                        frame: line.frame, at: Instant(nanoseconds: line.atNanoseconds),
                        tshark: line.seen.words, log: line.told.words,
                        reason: line.reason?.rawValue)
                })
        } catch {
            throw RunFailure("\(error)")
        }
    }

    private static func counts(of tshark: Tshark, _ truth: PacketTruth) -> [Count] {
        Tshark.Finding.allCases.compactMap { finding in
            let seen = tshark.frames.count { $0.findings.contains(finding) }
            let told = truth.frames.count { $0.findings.contains(finding) }
            guard seen + told > 0 else { return nil }
            return Count(finding: finding.rawValue, tshark: seen, log: told)
        }
    }

    private static func check(
        _ path: String, against truth: PacketTruth
    ) throws(CaptureError) {
        let stranger = CaptureError(
            "the capture \(path) does not match this run as it is played now",
            remedy: "renew it with ./lab replay RUN --packets")
        let reader = try CaptureReader(path: path)
        for frame in truth.frames {
            guard let captured = try reader.next(),
                captured.wallNanoseconds == frame.record.atNanoseconds,
                captured.originalLength == Int(frame.record.size)
            else { throw stranger }
        }
        guard try reader.next() == nil else { throw stranger }
    }

    private static func text(_ capture: Explained) -> String {
        var counts = TextTable([.left, .right, .right])
        counts.add(["", "tshark", "log"])
        for count in capture.counts {
            counts.add([count.finding, "\(count.tshark)", "\(count.log)"])
        }
        var lines = TextTable([.right, .right, .left, .left, .left])
        lines.add(["frame", "time", "tshark says", "the log says", "reason"])
        for line in capture.differences {
            lines.add([
                "\(line.frame)", "\(line.at)", line.tshark, line.log, line.reason ?? "unknown",
            ])
        }
        let head =
            "\(capture.file), as seen at \(capture.place): \(capture.frames) frames; "
        guard !capture.differences.isEmpty else {
            return "\(head)tshark and the log agree\n\(counts.text)"
        }
        return """
            \(head)tshark and the log differ about \(capture.differences.count) of them
            \(counts.text)

            \(lines.text)
            """
    }
}

extension Replay {
    /// Plays the run for a reader of its packets.
    fileprivate func play(into reader: inout some RunLogReader) {
        let plan = scenario.plan(seed: seed, ties: ties)
        var world = VirtualWorld(plan)
        while world.advance(until: .start + plan.limit) {
            world.drainRipeLog(into: &reader)
        }
        world.drainLog(into: &reader)
    }
}
