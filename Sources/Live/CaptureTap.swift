import Capture
import RunLog

/// The run's capture: every frame goes to the file, every packet to the log.
struct CaptureTap: ~Copyable {
    private let capture: LiveCapture
    private let writer: CaptureWriter
    private var flows: CapturedFlows

    private static let framesPerTurn = 512

    /// Captures what passes this port from now on.
    init(port: UInt16, file: String) throws(CaptureError) {
        let options = LiveCapture.Options(port: port)
        let capture = try LiveCapture(options)
        writer = try CaptureWriter(
            path: file, link: capture.link, snapLength: options.snapLength)
        self.capture = capture
        flows = CapturedFlows(serverPort: port)
    }

    var descriptor: Int32 { capture.descriptor }

    /// The frames that wait, but no more than others can wait for; false if there were none left.
    mutating func take(by clock: RunClock, into log: inout RunLogSink) throws(CaptureError) -> Bool
    {
        let frames = try capture.take(atMost: Self.framesPerTurn)
        for frame in frames {
            writer.write(frame)
            // A frame that is no TCP stays in the file, where people can look at it.
            guard
                let packet = try? TCPFrame(
                    parsing: frame.bytes, originalLength: frame.originalLength,
                    link: capture.link),
                let record = flows.record(
                    of: packet, at: clock.instant(ofWall: frame.wallNanoseconds))
            else { continue }
            log.record(record)
        }
        return frames.count == Self.framesPerTurn
    }

    /// Takes what is left and brings it to the file; how many frames were missed.
    mutating func finish(
        by clock: RunClock, into log: inout RunLogSink
    ) throws(CaptureError) -> UInt32 {
        while try take(by: clock, into: &log) {}
        try writer.flush()
        return capture.count.dropped
    }
}
