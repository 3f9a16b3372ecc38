import Checks
import DocrootServer
import Foundation
import Live
package import Quantities
import Reports
import RunLog
import Scenario

/// The recording of a server for real clients: its log, its packets, and in the end the report.
package struct ServiceRecording: Sendable {
    /// The folder, as the caller names it.
    let path: String
    private let folder: RunFolder
    /// The command that started the server.
    private let command: String
    /// The script of its faults.
    private let script: (path: String, text: String)?
    private let capture: CaptureTerms?

    /// The part of the packets that is kept.
    package struct CaptureTerms: Hashable, Sendable {
        package var snapLength: Int
        package var limit: ByteCount

        /// The shortest length keeps all headers of TCP; no packet is longer than the longest.
        package static let snapLengths = 80...262_144
        /// Whole packets: Wireshark does not even show the head of a request whose body is cut off.
        /// Interfaces rarely give longer packets, and each waiting packet takes this much memory.
        package static let usual = CaptureTerms(snapLength: 66_000, limit: ByteCount(1_000_000_000))
    }

    /// Creates the folder. `words` are the arguments of `serve`; `capture` is `nil` if no packets
    /// are wanted.
    package init(
        into path: String, beside docroot: String, words: [String], script: String?,
        capture: CaptureTerms?
    ) throws(RunFailure) {
        let url = URL(filePath: path)
        guard !url.isInside(URL(filePath: docroot)) else {
            throw RunFailure(
                "\(path) is in \(docroot), where clients would see it; name another folder with "
                    + "--record"
            )
        }
        self.path = path
        folder = try RunFolder(unused: url, option: "--record")
        command = (["./lab serve"] + words.map(\.shellQuoted)).joined(separator: " ")
        self.script = script.map { path in
            (path, (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? "")
        }
        self.capture = capture
    }

    var capturePlan: CapturePlan? {
        capture.map {
            CapturePlan(file: folder.captureFile, snapLength: $0.snapLength, limit: $0.limit)
        }
    }

    /// Starts the log of a server that has started.
    func begin(_ settings: ServiceSettings, at wall: UInt64) throws(RunFailure) -> Writer {
        let writer = Writer(try folder.eventFile())
        let beginning = RunBeginning(
            scenario: settings.docroot, world: .served, seed: settings.faults.seed,
            wallNanoseconds: wall, text: script?.text ?? "", path: script?.path ?? "",
            sentences: sentences(settings, at: wall), sessions: 0, command: command)
        writer.read(RunEvent(at: .start, .run(.began(beginning))))
        if capture == nil {
            let reason = RunFact.limited(
                what: "no packets were captured, because of --no-capture",
                remedy: "serve without --no-capture, as root or with the right to capture")
            writer.read(RunEvent(at: .start, .run(reason)))
        }
        return writer
    }

    /// Ends the recording; without a moment, because the server broke off, the log has no end.
    func end(_ writer: Writer, at moment: Instant?) throws(RunFailure) {
        if let moment { writer.read(RunEvent(at: moment, .run(.ended(.stopped)))) }
        try writer.file.close()
        try folder.write(Self.model(of: writer.pipeline, in: folder))
    }

    private func sentences(_ settings: ServiceSettings, at wall: UInt64) -> [String] {
        let began = Date(timeIntervalSince1970: Double(wall / 1_000_000_000))
        let moment = began.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: "")
        var sentences = ["\(settings.docroot) was served from \(moment) UTC on."]
        if !settings.accounts.isEmpty {
            let names = settings.accounts.map(\.name).joined(separator: ", ")
            sentences.append("Accounts: \(names).")
        }
        return sentences + settings.faults.rules.map(\.sentence)
    }

    /// Returns the report of a server.
    static func model(of pipeline: RunPipeline, in folder: RunFolder) -> ReportModel {
        var model = pipeline.model(mustFail: nil, log: folder)
        if FileManager.default.fileExists(atPath: folder.captureFile) {
            model.captureFiles = [.init(name: RunFolder.captureName, place: "the server")]
        }
        return model
    }

    /// Returns the readers of a server's log.
    static func pipeline(writing file: EventFile?) -> RunPipeline {
        RunPipeline(
            checks: CheckSet(invariants: InvariantCatalogue.checksOfServer(), expectations: []),
            file: file)
    }

    /// The log as it grows.
    final class Writer: RunLogReader {
        fileprivate let file: EventFile
        fileprivate var pipeline: RunPipeline

        fileprivate init(_ file: EventFile) {
            self.file = file
            pipeline = ServiceRecording.pipeline(writing: file)
        }

        func read(_ event: RunEvent) { pipeline.read(event) }

        func read(packets: UnsafeBufferPointer<PacketRecord>) { pipeline.read(packets: packets) }

        /// Writes everything to the file, so that a kill loses nothing.
        func flush() throws(RunFailure) { try file.flush() }
    }
}

extension URL {
    /// Whether this is the folder or a path in it. The path need not exist.
    fileprivate func isInside(_ folder: URL) -> Bool {
        let home = folder.resolvingSymlinksInPath().standardizedFileURL.pathComponents
        var place = standardizedFileURL
        var missing: [String] = []
        while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
            missing.insert(place.lastPathComponent, at: 0)
            place.deleteLastPathComponent()
        }
        let own = place.resolvingSymlinksInPath().standardizedFileURL.pathComponents + missing
        return own.starts(with: home)
    }
}
