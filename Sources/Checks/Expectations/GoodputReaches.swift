import Content
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
    /// Downloads. An inspection tells the size of the part that is here, not of the object.
    var downloads: Set<TransferName> = []
    /// Downloads that completed before the log has told what they brought.
    var unmeasured: Set<TransferName> = []
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
        case .engine(.accepts(_, _, let accepted)):
            downloads.formUnion(accepted.lazy.filter { $0.isDownload == true }.map(\.transfer))
        case .engine(.inspected(let transfer, let size, _)) where !downloads.contains(transfer):
            sizes[transfer] = size
        case .file(.downloaded(let transfer, _, let content)),
            .file(.moved(let transfer, _, let content)):
            brought(transfer, content.reduce(.zero) { $0 + $1.length })
        // Nothing of a skipped file was moved.
        case .engine(.keepsTarget(let transfer, _)): sizes[transfer] = .zero
        case .engine(.completes(let transfer)):
            if let size = sizes[transfer] {
                payload += size
            } else {
                unmeasured.insert(transfer)
            }
            ended = event.at
        case .run(.ended): judge()
        default: break
        }
    }

    private mutating func brought(_ transfer: TransferName, _ size: ByteCount) {
        sizes[transfer] = size
        if unmeasured.remove(transfer) != nil { payload += size }
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
