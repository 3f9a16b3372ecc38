import Glibc
import Live
import Quantities
import Recording
import RunPlan
import Testing
import TransferHost

/// The kernel's own TCP over an emulated link, for real.
@Suite(.serialized) struct KernelFlowTests {
    /// Why this cannot be tried here.
    static let refusal: String? =
        geteuid() != 0
        ? "needs root" : access("/dev/net/tun", F_OK) != 0 ? "needs /dev/net/tun" : nil

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"), .timeLimit(.minutes(1)))
    func `a kernel flow loses exactly the listed packets, and its goodput is what was read`()
        throws
    {
        let losses: [UInt64] = [20, 200, 201, 900]
        let plan = BulkFlowPlan(
            rate: Bitrate(bitsPerSecond: 20_000_000), roundTrip: .milliseconds(20),
            losses: losses + [1_000_000], limit: .seconds(2))
        let flow = try KernelFlow(plan, controller: "cubic")

        #expect(flow.book.losses.count == losses.count, "\(flow.book.dataPackets) data packets")
        let (start, end) = (try #require(flow.book.start), try #require(flow.book.end))
        #expect(end - start == .seconds(2))
        // Everything received was acknowledged, except for what came after the end.
        #expect(flow.received.bytes >= flow.book.acknowledged)
        #expect(Double(flow.received.bytes) < Double(flow.book.acknowledged) + 200_000)
        #expect(flow.book.goodput > 5e6 && flow.book.goodput < 20e6, "\(flow.book.goodput)")
        #expect(flow.book.samples.count == 20 && !flow.states.isEmpty)
        let sentAgain = flow.states.last.map { UInt64($0.retransmissions) } ?? 0
        #expect(sentAgain >= UInt64(losses.count), "\(flow.states.last.debugDescription)")
        #expect(flow.overflows == 0 && flow.lateness.packets > 1_000)
        #expect(flow.counters.contains { $0.name == "TCPDelivered" })
    }

    /// The conversation has pauses, so the rival gets more than half.
    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"), .timeLimit(.minutes(1)))
    func `an upload that waits for answers beside a rival gets its part of the line`() throws {
        let conversation = UploadConversation(opening: 300, request: 200_000, answer: 200)
        let plan = BulkFlowPlan(
            rate: Bitrate(bitsPerSecond: 20_000_000), roundTrip: .milliseconds(20), losses: [],
            limit: .seconds(3), conversation: conversation, rivalBegin: .seconds(1))
        let flow = try KernelFlow(plan, controller: "cubic")
        let samples = flow.book.samples.map { Double($0.acknowledged) * 8 }
        try #require(samples.count == 30)
        let alone = samples[9]
        let shared = (samples[29] - samples[19])
        // Without pauses it would be 18 Mbit/s.
        #expect(alone > 8e6 && alone < 16e6, "alone \(alone) bit/s")
        #expect(shared > 1e6 && shared < 0.8 * alone, "beside the rival \(shared) bit/s")
        #expect(flow.overflows == 0)
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"), .timeLimit(.minutes(1)))
    func `a flow is not measured without its rival`() {
        let plan = BulkFlowPlan(
            rate: Bitrate(bitsPerSecond: 20_000_000), roundTrip: .milliseconds(20), losses: [],
            limit: .milliseconds(500), rivalBegin: .seconds(5))
        #expect(throws: EmulationError.nothingCame) {
            _ = try KernelFlow(plan, controller: "cubic")
        }
    }

    @Test(.enabled(if: refusal == nil, "\(refusal ?? "")"), .timeLimit(.minutes(1)))
    func `a controller that the kernel does not have is named`() {
        let plan = BulkFlowPlan(
            rate: Bitrate(bitsPerSecond: 20_000_000), roundTrip: .milliseconds(20), losses: [],
            limit: .seconds(2))
        #expect(throws: EmulationError.unknownController("swift")) {
            _ = try KernelFlow(plan, controller: "swift")
        }
    }
}
