import Capture
import Foundation
import Glibc
import Quantities
import RunLog
import Testing

@Suite struct LiveCaptureTests {
    /// Whether this process may capture; if not, the reason.
    static let refusal: CaptureError? = {
        do throws(CaptureError) {
            _ = try LiveCapture(LiveCapture.Options(port: 1)).count
            return nil
        } catch {
            return error
        }
    }()

    @Test(.enabled(if: refusal == nil, "\(refusal?.what ?? "")"))
    func `an exchange over loopback is captured, both ways and in order`() throws {
        let pair = try LoopbackPair()
        let capture = try LiveCapture(LiveCapture.Options(port: pair.port))
        let before = Self.wallNanoseconds
        try pair.exchange(Array("a question".utf8), Array("an answer".utf8))
        var flows = CapturedFlows(serverPort: pair.port)
        var payloads: [UInt16: Int] = [:]
        let deadline = Date.now + 10
        while payloads != [0: 10, 1: 9], Date.now < deadline {
            for frame in try Self.wait(for: capture, until: deadline) {
                #expect(frame.wallNanoseconds >= before)
                #expect(frame.wallNanoseconds <= Self.wallNanoseconds)
                let packet = try TCPFrame(
                    parsing: frame.bytes, originalLength: frame.originalLength, link: capture.link)
                guard let record = flows.record(of: packet, at: .start) else { continue }
                if packet.payload > 0 { payloads[record.link, default: 0] += packet.payload }
            }
        }
        #expect(payloads == [0: 10, 1: 9])
        #expect(capture.count.dropped == 0)
    }

    @Test(
        .enabled(if: refusal == nil, "\(refusal?.what ?? "")"),
        .enabled(if: Tshark.isInstalled, "tshark is not installed"))
    func `tshark reads a live capture, bodies cut off and all`() throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "live-\(UUID().uuidString).pcap").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let pair = try LoopbackPair()
        let options = LiveCapture.Options(port: pair.port)
        let capture = try LiveCapture(options)
        try pair.exchange([UInt8](repeating: 7, count: 20_000), [1])
        let writer = try CaptureWriter(
            path: path, link: capture.link, snapLength: options.snapLength)
        var frames: [CapturedFrame] = []
        let deadline = Date.now + 10
        while !frames.contains(where: { $0.originalLength > 20_000 }), Date.now < deadline {
            frames += try Self.wait(for: capture, until: deadline)
        }
        for frame in frames { writer.write(frame) }
        try writer.flush()
        #expect(frames.allSatisfy { $0.bytes.count <= options.snapLength })
        let lengths = try Tshark.rows(of: path, fields: ["frame.len"]).map { $0[0] }
        #expect(lengths == frames.map { "\($0.originalLength)" })
        #expect(try Tshark.rows(of: path, fields: ["tcp.len"]).contains(["20000"]))
    }

    @Test func `without the right to capture the way to get it is said`() {
        guard let refusal = Self.refusal else { return }
        #expect(refusal.remedy?.contains("setcap") == true)
    }

    @Test func `an interface that is not there is an error`() {
        var options = LiveCapture.Options(port: 1)
        options.interface = "nowhere0"
        #expect(throws: CaptureError.self) { _ = try LiveCapture(options).count }
    }

    private static func wait(
        for capture: borrowing LiveCapture, until deadline: Date
    ) throws -> [CapturedFrame] {
        var poll = pollfd(fd: capture.descriptor, events: Int16(POLLIN), revents: 0)
        _ = Glibc.poll(&poll, 1, Int32(max(deadline.timeIntervalSinceNow * 1_000, 0)))
        return try capture.take(atMost: 64)
    }

    private static var wallNanoseconds: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
