import Capture
import Quantities
import RunLog
import TransferHost

/// A capture as it grows: every frame goes to the file, every packet to the log.
struct CaptureTap: ~Copyable {
    private let capture: LiveCapture
    private let writer: CaptureWriter
    private let limit: ByteCount?
    private var written = ByteCount(Self.fileHead)
    private var flows: CapturedFlows

    private static let framesPerTurn = 512
    /// The sizes of the file's head and of each frame's head.
    private static let fileHead: UInt64 = 24
    private static let frameHead = 16

    /// Captures the packets of a port.
    init(
        port: UInt16, on interface: String = "lo",
        interfaceOf: @escaping @Sendable (IPAddress) -> UInt16 = { _ in 0 }, _ plan: CapturePlan
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

    /// Takes the frames that wait, up to a limit so that others need not wait. Returns false if
    /// none are left. The frames are in the file by then, so a kill loses none of them.
    mutating func take(
        by clock: MachineClock, into log: inout RunLogSink
    ) throws(CaptureError) -> Bool {
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

    /// Takes the rest and flushes the file. Returns how many frames were missed.
    mutating func finish(
        by clock: MachineClock, into log: inout RunLogSink
    ) throws(CaptureError) -> UInt32 {
        while try take(by: clock, into: &log) {}
        return capture.count.dropped
    }
}
