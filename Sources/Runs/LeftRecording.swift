import Capture
import Foundation
import Quantities
import Reports
import RunLog

/// The folder of a recorded server without a report, because the server was killed or is still
/// running.
///
/// The log and the capture are complete up to then. The report is the same as after a normal end.
package enum LeftRecording {
    /// The size of the pieces in which the log is read, so that a long log needs little memory.
    private static let piece = 1 << 20

    /// Writes `report.html` and `run.json` into the folder, and returns the path of the report.
    package static func report(in path: String) throws(RunFailure) -> String {
        let url = URL(filePath: path)
        let folder = RunFolder(url)
        var pipeline = ServiceRecording.pipeline(writing: nil)
        var first: RunBeginning?
        var port: UInt16?
        var latest = Instant.start
        try eachEvent(in: path) { event throws(RunFailure) in
            switch event.fact {
            case .run(.began(let beginning)) where first == nil: first = beginning
            case .server(.listening(_, let number, _)): port = number
            default: break
            }
            guard first?.world == .served else {
                let page = url.appending(path: RunFolder.reportName)
                let isThere = FileManager.default.fileExists(atPath: page.path)
                throw RunFailure(
                    (isThere ? "the page is there already: \(page.relativePath); " : "")
                        + "\(path) is not a server's recording"
                        + (first.map { "; play it again with: \($0.command)" } ?? ""))
            }
            latest = event.at
            pipeline.read(event)
        }
        guard let start = first?.wallNanoseconds else {
            throw RunFailure("the log in \(path) is empty: the server had not yet started")
        }
        if let port, FileManager.default.fileExists(atPath: folder.captureFile) {
            readPackets(of: folder.captureFile, port, since: start, at: latest, into: &pipeline)
        }
        try folder.write(ServiceRecording.model(of: pipeline, in: folder))
        return url.appending(path: RunFolder.reportName).relativePath
    }

    /// Reads the complete lines; the last one may be cut off.
    private static func eachEvent(
        in path: String, _ read: (RunEvent) throws(RunFailure) -> Void
    ) throws(RunFailure) {
        let place = path + "/" + RunFolder.eventsName
        guard let handle = FileHandle(forReadingAtPath: place) else {
            throw RunFailure(
                "there is no \(RunFolder.eventsName) in \(path); name the folder of a recording")
        }
        var rest = Data()
        var number = 0
        while let more = try next(of: handle, at: place) {
            rest += more
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                number += 1
                let line = Data(rest[..<end])
                rest = rest[(end + 1)...]
                let event: RunEvent
                do throws(EventLines.Unreadable) {
                    event = try EventLines.event(from: line, number: number)
                } catch {
                    throw RunFailure(at: place, line: error.line, error.reason)
                }
                try read(event)
            }
            rest = Data(rest)
        }
    }

    private static func next(
        of handle: FileHandle, at place: String
    ) throws(RunFailure) -> Data? {
        do {
            return try handle.read(upToCount: piece).flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            throw RunFailure("\(place) cannot be read: \(error.systemReason)")
        }
    }

    /// Reads the packets, up to a frame that may be cut off.
    private static func readPackets(
        of file: String, _ port: UInt16, since start: UInt64, at moment: Instant,
        into pipeline: inout RunPipeline
    ) {
        let reader: CaptureReader
        do throws(CaptureError) { reader = try CaptureReader(path: file) } catch {
            let reason = RunFact.limited(
                what: error.what, remedy: error.remedy ?? "the log has what the clients did")
            return pipeline.read(RunEvent(at: moment, .run(reason)))
        }
        var flows = CapturedFlows(serverPort: port)
        var log = RunLogSink()
        while let frame = try? reader.next() {
            guard let record = flows.record(of: frame, link: reader.link, since: start) else {
                continue
            }
            log.record(record)
            if log.packets.count == 4_096 { log.drain(into: &pipeline) }
        }
        log.drain(into: &pipeline)
    }
}
