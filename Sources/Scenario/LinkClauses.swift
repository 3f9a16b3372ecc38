import LinkModels
import Quantities

extension FilterPlan {
    /// The stage as a clause after the link's rate, delay and queue.
    var sentence: String {
        switch self {
        case .independentLoss(let chance): "\(chance) of the packets are lost"
        case .burstLoss(let options):
            "packets are lost in bursts, which begin with \(options.goodToBad) and end with "
                + "\(options.badToGood); a packet is lost with \(options.lossInGood) outside them "
                + "and \(options.lossInBad) inside"
        case .fourStateLoss(let options):
            "packets are lost in bursts, which begin with \(options.gapToBurst) and end with "
                + "\(options.burstToGap), and alone with \(options.gapToLostAlone)"
        case .periodicLoss(let period): "every packet number \(period) is lost"
        case .listedLoss(let indices):
            "the packets \(indices.map { "\($0)" }.list) are lost, counted from 0"
        case .listedDataLoss(let indices):
            "of the packets that carry data, \(indices.map { "\($0)" }.list) are lost, counted "
                + "from 0"
        case .correlatedLoss(let options):
            "packets are lost as netem does with \(options.chance) and \(options.correlation) of "
                + "correlation"
        case .duplication(let chance): "\(chance) of the packets come twice"
        case .corruption(let chance): "\(chance) of the packets arrive damaged"
        case .sizeLimit(let limit):
            switch limit.told {
            case .byInterface: "packets have at most \(limit.size)"
            case .byRouter: "a router drops packets above \(limit.size) and says so"
            case .never: "packets above \(limit.size) vanish without a word"
            }
        case .blackHole(let options):
            "everything is lost from \(options.from.sinceStart) to \(options.until.sinceStart)"
        case .jitter(.uniform(let longest)): "the way takes up to \(longest) longer"
        case .jitter(.normal(let mean, let deviation)):
            "the way takes \(mean) longer, give or take \(deviation)"
        case .jitter(.pareto(let mean)):
            "the way takes \(mean) longer on average, now and then far more"
        case .reordering(let options):
            "\(options.chance) of the packets are overtaken for \(options.hold)"
        case .blockRepetition(let options):
            "\(options.chance) of the blocks are sent again, \(options.by) later each time"
        case .gapReordering(let options):
            "packets take \(options.lead) longer, but every packet number \(options.gap) jumps "
                + "ahead with \(options.chance)"
                + (options.correlation == .never
                    ? "" : " and \(options.correlation) of correlation")
        case .satelliteHandOver(let options):
            "every \(options.every) another satellite takes over: for \(options.outage) "
                + "everything is lost, and then the way takes up to \(options.longestDetour) longer"
        case .policer(let bucket):
            "packets beyond \(bucket.rate) and bursts of \(bucket.burst) are dropped"
        }
    }
}

extension LinkPlan {
    var delaySentence: String {
        guard let delays else { return "\(delay) of delay" }
        guard delays.file == nil else {
            return "\(delays.least) to \(delays.longest) of delay, by a trace of "
                + "\(TimeSpan(nanoseconds: Int64(delays.steps.length)))"
        }
        return "a delay of " + delays.allSteps.map { "\($0.delay) from \($0.from)" }.list
    }
}

extension BottleneckPlan {
    var rateSentence: String {
        switch schedule {
        case nil: return "\(rate)"
        case .trace(let trace):
            let length = TimeSpan.milliseconds(Int64(trace.moments.length))
            let words = trace.file == nil ? "" : " of \(length)"
            return "\(rate) on average, by a trace\(words),"
        case .shaped(let shaper):
            return
                "\(shaper.bucket.rate), in bursts of \(shaper.bucket.burst) at \(shaper.line),"
        case .wifi(let wifi): return wifi.sentence
        case .steps(let schedule):
            let parts = schedule.steps.map { step in
                "\(step.rate.map { "\($0)" } ?? "nothing") from \(step.from)"
            }
            let again = schedule.period.map { ", and so on every \($0)," } ?? ""
            return parts.list + again
        }
    }
}

extension DisciplinePlan {
    var sentence: String {
        switch self {
        case .dropHead: "drops the oldest packet for a new one"
        case .coDel(let options): "is kept below \(options.target) by CoDel" + marking
        case .fairQueueCoDel(let options):
            "is shared fairly by its flows, each kept below \(options.control.target) by CoDel"
                + marking
        case .pie(let options): "is kept at \(options.target) by PIE" + marking
        case .dualPI2(let options):
            "is kept at \(options.target) by DualPI2" + marking
                + ", those with ECT(1) from \(options.step) on"
        case .cake(let options):
            "is shared fairly by its " + (options.sharesByHost ? "hosts" : "flows")
                + ", each flow kept below \(options.control.target) by CAKE" + marking
        case .red(let options): "drops early from \(options.lower) on by RED" + marking
        }
    }

    private var marking: String { marks ? ", which marks packets that can be marked" : "" }
}

extension Slots.Options {
    /// The slots as a clause after the link's rate, delay and queue.
    var sentence: String {
        let time = shortest == longest ? "\(shortest)" : "\(shortest) to \(longest)"
        let most = [packets.map { "\($0) packets" }, bytes.map { "\($0)" }].compactMap(\.self)
        return "packets arrive in bursts"
            + (most.isEmpty ? "" : " of at most \(most.joined(separator: " or "))")
            + ", \(time) apart at least"
    }
}

extension WiFi.Options {
    /// The rate as a part of the sentence about the link.
    fileprivate var sentence: String {
        let rates = rates.count == 1 ? "\(peak)" : "\(rates[0]) to \(peak)"
        let others = stations == 1 ? "alone" : "with \(stations - 1) others that always send"
        return "\(rates) over Wi-Fi, \(others) and up to \(packets) packets at once,"
    }
}
