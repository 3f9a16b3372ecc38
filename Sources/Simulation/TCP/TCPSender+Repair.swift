/// What a sender makes of acknowledgements while something is missing, lost or sent again.
extension TCPSender {
    /// An acknowledgement while something is missing, lost or sent again, or with a mark.
    mutating func repair(
        _ packet: UnsafePointer<Packet>, _ blocks: SelectiveAcknowledgement, isMarked: Bool,
        at now: UInt64
    ) {
        let before = scoreboard.delivered
        let flightBefore = scoreboard.inFlight
        let lostBefore = scoreboard.lostBytes
        let wasUsed = isWindowUsed
        let acknowledged = packet.pointee.acknowledgement
        let isAdvance = acknowledged > unacknowledged
        let echo = packet.pointee.echo
        let duplicate = blocks.duplicate(acknowledging: acknowledged)
        let isNeedless = duplicate.map { takeDuplicate($0) } ?? false
        let inVain = scoreboard.delivered - before
        if isAdvance {
            scoreboard.acknowledge(to: acknowledged, echo: echo, at: now)
            advance(to: acknowledged, echo, now)
        }
        scoreboard.take(blocks, beyond: acknowledged, isTwice: duplicate != nil, at: now)
        let delivered = scoreboard.delivered - before
        let isOfProbe = isNeedless && duplicate?.upperBound == probe.end
        if isNeedless, !isOfProbe {
            scoreboard.detection.duplicateTold(acknowledged: acknowledged, next: next)
        }
        judgeProbe(
            isDuplicate: isOfProbe,
            isBare: !isAdvance && delivered == inVain && packet.pointee.payload == 0)
        let mayRepair = judgeAlarm(isAdvance: isAdvance, echo: echo)
        holdsRepetitions = !mayRepair && scoreboard.lostCount > 0
        let hasLoss = mayRepair && detectLosses(at: now)
        // A recovery that ends while something is missing is followed by the next (Linux).
        if hasLoss || scoreboard.missingCount > 0 { judgeLoss(delivered: before) }
        if pacer.isOn {
            // Who sends by rate does not slow down for a mark, as in Linux, but says that it knows.
            if isMarked { notification.reduced(until: next) }
            steer(delivered: delivered, flightBefore, lost: scoreboard.lostBytes - lostBefore, now)
            return armProbe(at: now)
        }
        if isMarked { judgeMark(delivered: before) }
        switch recovery.phase {
        case .repairing:
            if delivered > 0 {
                reduce(delivered: delivered, isProgress: isAdvance && !hasLoss)
            }
        case .open, .restarting:
            if isAdvance, wasUsed { grow(by: delivered, echo, now) }
        }
        armProbe(at: now)
    }

    /// The same of one that a later acknowledgement has overtaken: what it tells of stretches may
    /// be news. As in Linux no window moves for it, and no probe is answered by it.
    mutating func overtakenArrived(
        _ packet: UnsafePointer<Packet>, _ blocks: SelectiveAcknowledgement, at now: UInt64
    ) {
        let before = scoreboard.delivered
        let acknowledged = packet.pointee.acknowledgement
        let duplicate = blocks.duplicate(acknowledging: acknowledged)
        if let duplicate, takeDuplicate(duplicate), duplicate.upperBound != probe.end {
            scoreboard.detection.duplicateTold(acknowledged: acknowledged, next: next)
        }
        scoreboard.take(blocks, beyond: acknowledged, isTwice: duplicate != nil, at: now)
        let mayRepair = judgeAlarm(isAdvance: false, echo: packet.pointee.echo)
        holdsRepetitions = !mayRepair && scoreboard.lostCount > 0
        let hasLoss = mayRepair && detectLosses(at: now)
        if hasLoss || scoreboard.missingCount > 0 { judgeLoss(delivered: before) }
    }

    /// Whether anything must be lost by now.
    mutating func detectLosses(at now: UInt64) -> Bool {
        scoreboard.detectLosses(
            at: now, smoothed: timer.smoothed, isRecovering: recovery.phase != .open)
    }

    /// A loss was found; it counts as a sign of congestion once for all that is outstanding.
    mutating func judgeLoss(delivered: UInt64) {
        guard recovery.phase == .open else { return }
        let flight = min(next - unacknowledged, controller.window)
        recovery.begin(
            until: next, from: unacknowledged, controller: controller, sent: scoreboard.sent,
            delivered: delivered, awaitsRepeated: scoreboard.awaitsRepeated,
            repeatedOnWay: repeatedOnWay)
        controller.lossFound(flight: flight)
        notification.reduced(until: next)
    }

    mutating func reduce(delivered: UInt64, isProgress: Bool) {
        guard recovery.phase == .repairing else { return }
        recovery.reduce(
            scoreboard, delivered: delivered, threshold: controller.window, isProgress: isProgress)
    }

    /// What was sent again, as lost or to probe, and may be reported to have come twice.
    var repeatedOnWay: Int { scoreboard.repairingCount + (probe.awaitsRepetition ? 1 : 0) }

    /// Something has come twice; answers whether that tells of a repetition in vain.
    private mutating func takeDuplicate(_ range: Range<UInt64>) -> Bool {
        let count = scoreboard.takeDuplicate(range)
        guard count > 0 else { return false }
        recovery.alarm.reported(
            range.upperBound <= unacknowledged ? count : scoreboard.repeatedCount(in: range),
            endingAt: range.upperBound)
        return true
    }

    /// Whether a probe has been answered, and has repaired a loss.
    private mutating func judgeProbe(isDuplicate: Bool, isBare: Bool) {
        guard
            case .hidLoss = probe.acknowledged(
                unacknowledged, isDuplicate: isDuplicate, isBareDuplicate: isBare),
            recovery.phase == .open
        else { return }
        controller.lossFound(flight: min(next - unacknowledged, controller.window))
        notification.reduced(until: next)
    }

    /// Whether a recovery is over, or was for nothing: as Linux decides that, which asks more while
    /// it repairs than after a timeout, or at the end. Answers whether anything may be taken for
    /// lost now, and be sent again.
    private mutating func judgeAlarm(isAdvance: Bool, echo: UInt64) -> Bool {
        let phase = recovery.phase
        recovery.advance(to: unacknowledged)
        let isBelied = isAdvance && recovery.alarm.isBelied(by: echo)
        switch phase {
        case .open:
            if recovery.alarm.isRefuted { undoAsRefuted() }
        case .repairing where recovery.phase == .open:
            if isBelied || recovery.alarm.isRefuted {
                undo(forgettingLosses: false)
            } else {
                scoreboard.detection.recoveryEnded()
            }
        case .repairing:
            if isBelied {
                scoreboard.detection.reorderingShown()
                // While something that was sent again is on the way, its answer is waited for.
                guard scoreboard.repairingCount == 0 else { return false }
                undo(forgettingLosses: true)
            } else if recovery.alarm.isRefuted {
                undoAsRefuted()
            }
        case .restarting:
            if isBelied || (isAdvance && recovery.alarm.isRefuted) {
                undo(forgettingLosses: true)
            } else if recovery.phase == .open {
                scoreboard.detection.recoveryEnded()
            }
        }
        return true
    }

    /// All that was sent again has come twice.
    private mutating func undoAsRefuted() {
        scoreboard.detection.recoveryRefuted()
        undo(forgettingLosses: false)
    }

    private mutating func undo(forgettingLosses: Bool) {
        guard let before = recovery.alarm.takeBack() else { return }
        controller.undo(to: before)
        if forgettingLosses { scoreboard.undoLosses() }
        recovery.end()
    }

    /// A queue has marked something instead of dropping it (RFC 3168 §6.1.2): the window is reduced
    /// as for a loss, over a round trip, and nothing takes that back.
    private mutating func judgeMark(delivered: UInt64) {
        judgeLoss(delivered: delivered)
        recovery.alarm.confirm()
    }
}
