import Live
import Protocols
import Quantities
import Recording
import RunPlan

/// A flow of real sockets over an emulated link of 100 Mbit/s that loses packets, its beginning
/// counted.
struct EmulatedCase {
    let flow: Flow

    enum Flow {
        case paced
        case kernel(String)
    }

    private static let seconds: UInt64 = 20
    private static let megabits: UInt64 = 100
    private static let lostPercent: UInt64 = 1

    /// The same packets are lost, whoever sends them.
    private static var plan: BulkFlowPlan {
        var random = RandomStream(seed: 1, name: "benchmark/link")
        let packets = megabits * 1_000_000 / 12_000 * seconds
        return BulkFlowPlan(
            rate: Bitrate(bitsPerSecond: megabits * 1_000_000), roundTrip: .milliseconds(100),
            losses: (0..<2 * packets).filter { _ in random.below(100) < lostPercent },
            limit: .seconds(Int64(seconds)))
    }

    /// Whether this process may emulate links.
    static var isPossible: Bool {
        do throws(EmulationError) {
            try KernelFlow.demandRights()
            return true
        } catch {
            return false
        }
    }

    func play() throws(RunFailure) -> BenchmarkSample {
        let meter = Meter()
        let content: ByteCount
        do throws(EmulationError) {
            switch flow {
            case .paced:
                content =
                    try PacedBulk(PacedSettings(), over: Self.plan).arrived.last ?? .zero
            case .kernel(let controller):
                content = ByteCount(
                    try KernelFlow(Self.plan, controller: controller).book.acknowledged)
            }
        } catch {
            throw RunFailure("\(error)")
        }
        var cost = meter.cost()
        cost.wallSeconds = Double(Self.seconds)
        return BenchmarkSample(exact: [:], counts: ["bits": 8 * content.bytes], cost: cost)
    }
}
