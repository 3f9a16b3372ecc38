import Live
import Protocols
import Quantities

/// The paced transport between real sockets of the loopback interface, as fast as it goes. The
/// beginning is not counted.
struct SocketCase {
    static let seconds: Int64 = 5

    func play() throws(RunFailure) -> BenchmarkSample {
        let meter = Meter()
        let bulk: PacedBulk
        do throws(LiveError) {
            bulk = try PacedBulk(PacedSettings(), for: .seconds(Self.seconds))
        } catch {
            throw RunFailure(error.message)
        }
        let (content, time) = bulk.afterFirstSecond
        guard content > .zero else {
            throw RunFailure(
                "no datagram came over the loopback interface: let a firewall pass UDP on it")
        }
        var cost = meter.cost()
        cost.wallSeconds = time.seconds
        return BenchmarkSample(exact: [:], counts: ["bits": 8 * content.bytes], cost: cost)
    }
}
