import LinkModels
import Quantities

/// A link's queue while it is read. The defaults are those of the discipline's authors.
struct QueueDraft {
    var discipline: Discipline?
    var limit: ByteCount?
    /// Whether the limit was given as a number of packets.
    var isLimitInPackets = false
    var target: TimeSpan?
    var interval: TimeSpan?
    var step: TimeSpan?
    var markThreshold: TimeSpan?
    var flows: Int?
    var quantum: Int?
    /// Who has equal shares of the queue.
    var shares: Shares?
    var update: TimeSpan?
    var burst: TimeSpan?
    /// The weight, in thousandths per second.
    var alpha: UInt64?
    var beta: UInt64?
    var lower: ByteCount?
    var upper: ByteCount?
    var chance: Probability?
    var weight: Probability?
    /// Explicit congestion notification.
    var marks = false

    enum Discipline: String, CaseIterable {
        case dropTail = "drop-tail"
        case dropHead = "drop-head"
        case coDel = "codel"
        case fairQueueCoDel = "fq-codel"
        case pie
        case red
        case dualPI2 = "dualpi2"
        case cake
    }

    enum Shares: String, CaseIterable {
        case hosts, flows
    }

    var isDropTail: Bool { discipline == nil || discipline == .dropTail }

    static let mostFlows: UInt64 = 65_536
    static let largestQuantum = ByteCount(1_000_000)

    /// Makes the plan; `open` is the default limit.
    func plan(open: ByteCount) -> BottleneckPlan.Queue {
        let limit = limit ?? open
        switch discipline {
        case nil: return .dropTail(limit: limit)
        case .dropTail:
            guard isLimitInPackets else { return .dropTail(limit: limit) }
            return .dropTailPackets(Int(limit.bytes / LinkDraft.packetSize.bytes))
        case .dropHead: return .disciplined(.dropHead, limit: limit)
        case .coDel: return .disciplined(.coDel(coDel), limit: limit)
        case .fairQueueCoDel: return .disciplined(.fairQueueCoDel(fairQueue), limit: limit)
        case .pie: return .disciplined(.pie(pie), limit: limit)
        case .red: return .disciplined(.red(red(limit: limit)), limit: limit)
        case .dualPI2: return .disciplined(.dualPI2(dualPI2), limit: limit)
        case .cake: return .disciplined(.cake(cake), limit: limit)
        }
    }

    private var coDel: CoDel.Options {
        var options = CoDel.Options()
        options.target = target ?? options.target
        options.interval = interval ?? options.interval
        options.marks = marks
        options.threshold = markThreshold
        return options
    }

    private var fairQueue: FairQueueCoDel.Options {
        var options = FairQueueCoDel.Options()
        options.control = coDel
        options.flows = flows ?? options.flows
        options.quantum = quantum ?? options.quantum
        return options
    }

    private var cake: Cake.Options {
        var options = Cake.Options()
        options.control.target = target ?? options.control.target
        options.control.interval = interval ?? options.control.interval
        options.sharesByHost = shares != .flows
        return options
    }

    private var pie: PIE.Options {
        var options = PIE.Options()
        options.target = target ?? options.target
        options.updatePeriod = update ?? options.updatePeriod
        options.burst = burst ?? options.burst
        options.alphaThousandths = alpha ?? options.alphaThousandths
        options.betaThousandths = beta ?? options.betaThousandths
        options.marks = marks
        return options
    }

    private var dualPI2: DualPI2.Options {
        var options = DualPI2.Options()
        options.target = target ?? options.target
        options.updatePeriod = update ?? options.updatePeriod
        options.alphaThousandths = alpha ?? options.alphaThousandths
        options.betaThousandths = beta ?? options.betaThousandths
        options.step = step ?? options.step
        return options
    }

    /// Makes RED; a missing threshold is a sixth of the limit, or follows from the other by a
    /// factor of three.
    private func red(limit: ByteCount) -> RED.Options {
        let lower = lower ?? ByteCount((upper ?? ByteCount(limit.bytes / 2)).bytes / 3)
        let upper = upper ?? ByteCount(lower.bytes * 3)
        var options = RED.Options(
            lower: lower, upper: upper, highest: chance ?? RED.usualChance,
            weight: weight ?? RED.usualWeight)
        options.marks = marks
        return options
    }
}
