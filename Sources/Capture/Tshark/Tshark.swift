import Foundation

/// tshark's analysis of a capture, frame by frame.
package struct Tshark {
    package private(set) var frames: [Frame] = []

    /// tshark's findings, named like its fields `tcp.analysis.…`.
    package enum Finding: String, Sendable, CaseIterable {
        case retransmission, outOfOrder = "out_of_order", fastRetransmission = "fast_retransmission"
        case spurious = "spurious_retransmission", duplicateAcknowledgement = "duplicate_ack"
        case lostBefore = "lost_segment", zeroWindow = "zero_window"
        case unseenAcknowledged = "ack_lost_segment", windowUpdate = "window_update"
    }

    package struct Frame {
        package var findings: Set<Finding> = []
        /// Whether its window is larger than its sender's previous window.
        package var offersMore: Bool
        /// Whether both checksums are right.
        package var isSound: Bool
        /// tshark's other complaints, besides `findings`.
        package var complaints: [String]
    }

    package static let program = "/usr/bin/tshark"
    package static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: program)
    }

    /// Reads a capture; HTTP is dissected only on request, because its dissector comments on every
    /// message.
    package init(
        reading path: String, disabling protocolName: String? = "http"
    ) throws(CaptureError) {
        let names =
            [
                "tcp.checksum.status", "ip.checksum.status", "_ws.expert.message",
                "tcp.window_size_value", "tcp.stream", "tcp.srcport",
            ]
            + Finding.allCases.map { "tcp.analysis.\($0.rawValue)" }
        let rows = try Self.rows(
            of: path, fields: names,
            options: protocolName.map { ["--disable-protocol", $0] } ?? [])
        var windows = OfferedWindows()
        frames = rows.map { words in
            let numbers = words[3...5].map { Int($0) ?? 0 }
            var frame = Frame(
                offersMore: windows.opens(
                    numbers[0], by: .init(stream: numbers[1], port: numbers[2])),
                isSound: words[0] == "1" && words[1] == "1",
                complaints: words[2].split(separator: ",").map(String.init)
                    .filter { message in !Self.known.contains { message.hasPrefix($0) } })
            for (finding, word) in zip(Finding.allCases, words.dropFirst(6)) where !word.isEmpty {
                frame.findings.insert(finding)
            }
            return frame
        }
    }

    /// Returns these fields of every frame.
    package static func rows(
        of path: String, fields names: [String], options: [String] = []
    ) throws(CaptureError) -> [[String]] {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments =
            ["-r", path] + options + [
                "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
                "-T", "fields", "-E", "separator=|",
            ] + names.flatMap { ["-e", $0] }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            throw CaptureError(
                "tshark cannot be started", remedy: "sudo apt-get install -y tshark")
        }
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CaptureError("tshark cannot read \(path)")
        }
        return text.split(separator: "\n").map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Notes that occur in every healthy connection or that repeat the findings.
    private static let known = [
        "Connection ", "This frame initiates", "This frame undergoes", "Duplicate ACK",
        "This frame is a (suspected)", "Previous segment(s) not captured",
        "ACKed segment that wasn't captured", "D-SACK Sequence",
    ]
}
