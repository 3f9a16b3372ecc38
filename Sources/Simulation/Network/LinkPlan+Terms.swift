import LinkModels
import Quantities
import RunLog

extension LinkPlan {
    /// Properties of the link, for the checks.
    var terms: LinkTerms {
        var terms = LinkTerms(
            name: name, rate: bottleneck.rate, delay: delay, queueLimit: bottleneck.queue.limit,
            loss: meanLoss)
        if !keepsOrder { terms.keepsOrder = false }
        if keepsOrderOfEachMarking { terms.keepsOrderOfEachMarking = true }
        if !keepsDistance { terms.keepsDistance = false }
        var canDropWaiting = false
        if case .disciplined(let discipline, _) = bottleneck.queue {
            canDropWaiting = true
            if discipline.marks { terms.marks = true }
            if showsWaits { terms.markThreshold = discipline.markThreshold }
        }
        if !lossesOnWay.isEmpty, !canDropWaiting { terms.losesOnWay = true }
        terms.policer = policer.map { .init($0) }
        for case .satelliteHandOver(let options) in filters {
            terms.satellites = .init(every: options.every, outage: options.outage)
        }
        terms.slots = slots.map {
            .init(
                shortest: $0.shortest, longest: $0.longest, packets: $0.packets, bytes: $0.bytes)
        }
        switch bottleneck.schedule {
        case .steps(let schedule):
            terms.rateSteps = schedule.steps.map { .init(from: $0.from, rate: $0.rate) }
            terms.ratePeriod = schedule.period
        case .trace(let trace):
            terms.trace = trace.file
            if trace.file == nil { terms.chances = trace.chances }
        case .shaped(let shaper): terms.shaper = .init(shaper.bucket)
        case .wifi(let options):
            terms.air = .init(
                packets: UInt64(options.packets), bytes: options.bytes, framing: WiFi.framing,
                overhead: TimeSpan(nanoseconds: Int64(WiFi.overhead)))
        case nil: break
        }
        terms.forgets = forgetfulCells
        if !sizeLimits.isEmpty {
            terms.largestPackets = sizeLimits.map {
                .init(
                    size: $0.size, isKnown: $0.told == .byInterface, isTold: $0.told == .byRouter)
            }
        }
        terms.delayTrace = delays?.file
        if let delays, delays.file == nil {
            terms.delaySteps = delays.allSteps.map { .init(from: $0.from, delay: $0.delay) }
        }
        return terms
    }
}

extension LinkPlan {
    /// Whether the wait of a packet follows from its arrival.
    private var showsWaits: Bool {
        !variesDelay && keepsDistance && bottleneck.schedule == nil
    }
}

extension DisciplinePlan {
    fileprivate var markThreshold: LinkTerms.MarkThreshold? {
        switch self {
        case .coDel(let options): options.threshold.map { .init(delay: $0, onlyScalable: nil) }
        case .fairQueueCoDel(let options):
            options.control.threshold.map { .init(delay: $0, onlyScalable: nil) }
        case .dualPI2(let options): .init(delay: options.step, onlyScalable: true)
        case .dropHead, .pie, .red, .cake: nil
        }
    }
}

extension LinkTerms.Bucket {
    fileprivate init(_ bucket: TokenBucket.Options) {
        self.init(rate: bucket.rate, burst: bucket.burst)
    }
}
