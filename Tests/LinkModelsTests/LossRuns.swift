import Quantities

@testable import LinkModels

/// Which of many packets a stage lost, and how the losses lie together.
struct LossRuns {
    let isLost: [Bool]

    init(_ plan: FilterPlan, packets: Int, size: Int = 1_500, seed: UInt64 = 7) {
        var stage = FilterStage(plan, seed: seed, streamName: "uplink/\(plan.kind)")
        isLost = (0..<packets).map { _ in stage.accept(size, at: .start) == .drop(.lost) }
    }

    var meanLoss: Double { Double(isLost.count { $0 }) / Double(isLost.count) }

    /// How many packets are lost in a row on average.
    var meanLength: Double {
        let beginnings = zip([false] + isLost, isLost).count { !$0 && $1 }
        return Double(isLost.count { $0 }) / Double(beginnings)
    }
}

extension Probability {
    /// A percentage that a test has written down.
    static func percent(_ percent: Double) -> Probability {
        guard let chance = Probability(percent: percent) else {
            preconditionFailure("\(percent) % is no chance")
        }
        return chance
    }
}

extension LinkPlan {
    /// An uplink of 8 Mbit/s, a byte a microsecond, with these stages.
    static func filtered(_ filters: [FilterPlan], queue: UInt64 = 1_000_000_000) -> LinkPlan {
        LinkPlan(
            name: "uplink", filters: filters, delay: .milliseconds(10),
            bottleneck: BottleneckPlan(
                rate: Bitrate(bitsPerSecond: 8_000_000), queue: .dropTail(limit: ByteCount(queue))))
    }
}
