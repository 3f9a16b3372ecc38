import Quantities
import RunLog

/// `goodput at least RATE`, or a share of the bottleneck: the bytes of completed transfers, over
/// the time from the first activation to the last completion.
/// The bottleneck is the highest rate of the run's fastest uplink; headers use some of it.
struct GoodputReaches: Expectation {
    let floor: ExpectationPlan.GoodputFloor

    var watch = Watch()
    var bottleneck: Bitrate?
    var sizes: [TransferName: ByteCount] = [:]
    var payload = ByteCount.zero
    var began: Instant?
    var ended: Instant?

    var statement: String {
        switch floor {
        case .rate(let rate): "goodput is at least \(rate)"
        case .share(let share): "goodput is at least \(share) of the bottleneck"
        }
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .link(.planned(_, let terms)) where terms.name.hasSuffix("uplink"):
            bottleneck = max(terms.rate, bottleneck ?? terms.rate)
        case .engine(.moves(_, _, .running, _)): if began == nil { began = event.at }
        case .engine(.inspected(let transfer, let size, _)): sizes[transfer] = size
        case .engine(.completes(let transfer)):
            payload += sizes[transfer] ?? .zero
            ended = event.at
        case .run(.ended): judge()
        default: break
        }
    }

    private mutating func judge() {
        guard let began, let ended, ended > began else {
            return watch.fall(expected: statement, seen: "no transfer completed")
        }
        let bits = UInt128(payload.bytes) * 8_000_000_000
        let rate = bits / UInt128((ended - began).nanoseconds.magnitude)
        let goodput = Bitrate(bitsPerSecond: max(UInt64(clamping: rate), 1))
        guard let least, goodput < least else { return }
        let share = bottleneck.map { " of \($0)" } ?? ""
        watch.fall(expected: "\(statement), \(least)", seen: "it is \(goodput)\(share)")
    }

    private var least: Bitrate? {
        switch floor {
        case .rate(let rate): rate
        case .share(let share):
            bottleneck.map {
                Bitrate(bitsPerSecond: max(share.share(of: $0.bitsPerSecond), 1))
            }
        }
    }
}
