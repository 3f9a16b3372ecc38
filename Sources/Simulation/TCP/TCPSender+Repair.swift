import RunPlan

/// Handles acknowledgements while something is missing, lost or retransmitted.
extension TCPSender {
    /// Handles an acknowledgement that may tell of marks, or while something is missing, lost or
    /// retransmitted.
    mutating func repair(
        _ packet: UnsafePointer<Packet>, _ blocks: SelectiveAcknowledgement, at now: UInt64
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
        // As in Linux, a recovery that ends with segments still missing is followed by another.
        if hasLoss || scoreboard.missingCount > 0 { judgeLoss(delivered: before) }
        let marks = countMarks(packet, delivered: delivered, isAdvance: isAdvance)
        if controller.isRateBased {
            if marks > 0 {
                notification.reduced(until: next)
                controller.marked()
            }
            steer(delivered: delivered, flightBefore, lost: scoreboard.lostBytes - lostBefore, now)
            return armProbe(at: now)
        }
        let marked = judgeMarks(marks, packet, before: before, at: now)
        switch recovery.phase {
        case .repairing:
            if delivered > 0 {
                reduce(delivered: delivered, isProgress: isAdvance && !hasLoss)
            }
        case .open, .restarting:
            if isAdvance { grow(by: delivered - marked, isWindowUsed: wasUsed, echo, now) }
        }
        armProbe(at: now)
    }

    /// Handles an overtaken acknowledgement, whose blocks may be news. As in Linux, it neither
    /// grows the congestion window nor answers a probe.
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

    /// Cuts content into segments of another size from now on, and what has not arrived as well.
    /// What is on the way and larger is lost. As in Linux, the window keeps its number of segments.
    mutating func resize(to size: UInt64) {
        controller.react(to: .otherSegments(size: size))
        segmentSize = UInt16(size)
        scoreboard.cut(to: size)
        recovery.alarm.confirm()
        guard scoreboard.lostCount > 0 else { return }
        probe.forget()
        recovery.restart(until: next)
    }

    mutating func detectLosses(at now: UInt64) -> Bool {
        scoreboard.detectLosses(
            at: now, smoothed: timer.smoothed, isRecovering: recovery.phase != .open)
    }

    /// Starts a recovery of everything outstanding, unless one is under way.
    mutating func judgeLoss(delivered: UInt64) {
        guard recovery.phase == .open else { return }
        let flight = min(next - unacknowledged, controller.window)
        recovery.begin(
            until: next, from: unacknowledged, controller: controller, sent: scoreboard.sent,
            delivered: delivered, awaitsRepeated: scoreboard.awaitsRepeated,
            repeatedOnWay: repeatedOnWay)
        controller.react(to: .loss(flight: flight))
        notification.reduced(until: next)
    }

    mutating func reduce(delivered: UInt64, isProgress: Bool) {
        guard recovery.phase == .repairing else { return }
        recovery.reduce(
            scoreboard, segment: segment, delivered: delivered, threshold: controller.window,
            isProgress: isProgress)
    }

    /// Number of retransmissions, including probes, that may still be reported as duplicates.
    var repeatedOnWay: Int { scoreboard.repairingCount + (probe.awaitsRepetition ? 1 : 0) }

    /// Notes a duplicate; returns whether a needless retransmission caused it.
    private mutating func takeDuplicate(_ range: Range<UInt64>) -> Bool {
        let count = scoreboard.takeDuplicate(range, segment: segment)
        guard count > 0 else { return false }
        recovery.alarm.reported(
            range.upperBound <= unacknowledged ? count : scoreboard.repeatedCount(in: range),
            endingAt: range.upperBound)
        return true
    }

    /// Treats a loss that a probe has repaired as congestion.
    private mutating func judgeProbe(isDuplicate: Bool, isBare: Bool) {
        guard
            probe.hidLoss(unacknowledged, isDuplicate: isDuplicate, isBareDuplicate: isBare),
            recovery.phase == .open
        else { return }
        controller.react(to: .loss(flight: min(next - unacknowledged, controller.window)))
        notification.reduced(until: next)
    }

    /// Ends or undoes a recovery by Linux's rules; they ask for more evidence while repairing than
    /// after a timeout or at the end. Returns whether segments may be marked as lost and
    /// retransmitted now.
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
                // Retransmissions on the way must be answered first.
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

    private mutating func countMarks(
        _ packet: UnsafePointer<Packet>, delivered: UInt64, isAdvance: Bool
    ) -> UInt64 {
        guard notification.isAgreed else { return 0 }
        let segments = (delivered + segment - 1) / segment
        return notification.marks(toldBy: packet, ofSegments: segments, isAdvance: isAdvance)
    }

    /// Reduces the window for marks: by their share, or as for a loss (RFC 3168 §6.1.2), over a
    /// round trip and never undone. Returns the bytes by which the window must not grow.
    private mutating func judgeMarks(
        _ marks: UInt64, _ packet: UnsafePointer<Packet>, before: UInt64, at now: UInt64
    ) -> UInt64 {
        guard controller.countsMarks, notification.agreed == .accurate else {
            if marks > 0, notification.asksForReduction(packet) {
                judgeLoss(delivered: before)
                recovery.alarm.confirm()
            }
            return 0
        }
        let delivered = scoreboard.delivered - before
        let marked = min(marks * segment, delivered)
        controller.counted(
            delivered, marked: marked,
            .init(
                now: now, roundTrip: now - packet.pointee.echo, smoothed: timer.smoothed,
                unacknowledged: unacknowledged, next: next))
        return marked
    }
}
