import Capture
import Quantities
import RunLog

/// A capture as it grows: every frame goes to the file, every packet to the log.
struct CaptureTap: ~Copyable {
    private let capture: LiveCapture
    private let writer: CaptureWriter
    private let limit: ByteCount?
    /// How much the file holds.
    private var written = ByteCount(Self.fileHead)
    private var flows: CapturedFlows

    private static let framesPerTurn = 512
    /// What a capture file has in front of all frames, and in front of each.
    private static let fileHead: UInt64 = 24
    private static let frameHead = 16

    /// Captures what passes this port from now on.
    init(
        port: UInt16, on interface: String = "lo",
        interfaceOf: @escaping @Sendable (UInt32) -> UInt16 = { _ in 0 }, _ plan: CapturePlan
    ) throws(CaptureError) {
        var options = LiveCapture.Options(port: port)
        options.interface = interface
        options.snapLength = plan.snapLength
        let capture = try LiveCapture(options)
        writer = try CaptureWriter(
            path: plan.file, link: capture.link, snapLength: plan.snapLength)
        self.capture = capture
        limit = plan.limit
        flows = CapturedFlows(serverPort: port, interfaceOf: interfaceOf)
    }

    var descriptor: Int32 { capture.descriptor }

    /// The frames that wait, but no more than others can wait for; false if there were none left.
    /// They are in the file by then, so that a kill takes none of them.
    mutating func take(by clock: RunClock, into log: inout RunLogSink) throws(CaptureError) -> Bool
    {
        let frames = try capture.take(atMost: Self.framesPerTurn)
        guard !frames.isEmpty else { return false }
        for frame in frames {
            try makeRoom(for: frame)
            writer.write(frame)
            let record = flows.record(
                of: frame, link: capture.link, since: clock.wallNanosecondsAtStart)
            if let record { log.record(record) }
        }
        try writer.flush()
        return frames.count == Self.framesPerTurn
    }

    private mutating func makeRoom(for frame: CapturedFrame) throws(CaptureError) {
        let next = written + ByteCount(UInt64(Self.frameHead + frame.bytes.count))
        if let limit, next > limit {
            try writer.flush()
            throw CaptureError(
                "the capture has reached its limit of \(limit)",
                remedy:
                    "keep less of each packet with --snap-length, or raise --capture-limit")
        }
        written = next
    }

    /// Takes what is left and brings it to the file; how many frames were missed.
    mutating func finish(
        by clock: RunClock, into log: inout RunLogSink
    ) throws(CaptureError) -> UInt32 {
        while try take(by: clock, into: &log) {}
        return capture.count.dropped
    }
}
