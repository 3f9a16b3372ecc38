import Capture
import Foundation
import Quantities
import Reports
import RunLog

/// The folder of a recorded server that has no report: the server was killed, or still stands.
///
/// Its log and its capture are whole up to what had happened by then, and the report is made from
/// them: the same that the server makes when it ends in order.
package enum LeftRecording {
    /// Reads the log in pieces of this size, so that a long one needs no memory.
    private static let piece = 1 << 20

    /// Writes `report.html` and `run.json` into the folder, and answers where the report is.
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
                throw RunFailure(
                    "\(path) is not a server's recording"
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

    /// Whole lines only: the last one may have been cut off.
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
                    throw RunFailure("\(place):\(error.line): \(error.reason)")
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

    /// A frame that was cut off in the middle is the end, too.
    private static func readPackets(
        of file: String, _ port: UInt16, since start: UInt64, at moment: Instant,
        into pipeline: inout RunPipeline
    ) {
        let reader: CaptureReader
        do throws(CaptureError) { reader = try CaptureReader(path: file) } catch {
            pipeline.read(
                RunEvent(
                    at: moment,
                    .run(
                        .limited(
                            what: error.what,
                            remedy: error.remedy ?? "the log has what the clients did"))))
            return
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
