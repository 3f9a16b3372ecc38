import RunLog

/// Sends and retransmits.
extension TCPEndpoint {
    /// Linux's `tcp_syn_retries`, `tcp_synack_retries` and `tcp_retries2`.
    private static let synRetries = 6
    private static let synAcknowledgementRetries = 5
    private static let dataRetries = 15

    /// Sends what the windows allow: lost segments first, then new ones; all but the last are
    /// whole.
    @_transparent
    mutating func transmit(_ fabric: inout NetworkFabric) {
        guard state.isSynchronized else { return }
        if sender.pacer.isOn { return transmitPaced(&fabric) }
        if sender.scoreboard.lostCount > 0 {
            guard retransmit(&fabric) else { return }
        }
        let end = sender.planBurst()
        if sender.next < end {
            contentLeaves(end &- sender.next, fabric)
            repeat {
                sendSegment(min(end &- sender.next, sender.segment), &fabric)
            } while sender.next < end
            sender.armProbe(at: fabric.kernel.nowNanoseconds)
        }
        if sender.next < sender.dataEnd {
            let payload = min(sender.dataEnd &- sender.next, sender.segment)
            sender.persistIfClosed(to: payload, at: fabric.kernel.nowNanoseconds)
        }
        if sender.finishRequested, sender.next == sender.dataEnd { sendNew(0, &fabric) }
    }

    /// Sends what the windows allow at the controller's pace, segment by segment.
    private mutating func transmitPaced(_ fabric: inout NetworkFabric) {
        let now = fabric.kernel.nowNanoseconds
        sender.pacer.stopWaiting()
        if sender.scoreboard.lostCount > 0 {
            guard retransmit(&fabric) else { return }
        }
        while sender.next < sender.dataEnd {
            let payload = min(sender.dataEnd - sender.next, sender.segment)
            guard sender.scoreboard.inFlight + payload <= sender.window,
                sender.next + payload <= sender.windowEnd, sender.pacer.mayLeave(at: now)
            else { return sender.persistIfClosed(to: payload, at: now) }
            sendNew(payload, &fabric)
        }
        if sender.finishRequested, sender.next == sender.dataEnd { sendNew(0, &fabric) }
    }

    /// Retransmits lost segments unless they are held back; returns whether new content may follow.
    private mutating func retransmit(_ fabric: inout NetworkFabric) -> Bool {
        if sender.holdsRepetitions {
            sender.holdsRepetitions = false
            return true
        }
        while let segment = sender.scoreboard.firstLost() {
            let now = fabric.kernel.nowNanoseconds
            guard sender.scoreboard.inFlight + segment.length <= sender.window,
                !sender.pacer.isOn || sender.pacer.mayLeave(at: now)
            else { return false }
            sender.scoreboard.firstLostLeaves(at: now)
            sender.recovery.alarm.repeats(at: now)
            if segment.start == sender.unacknowledged { sender.timer.start(at: now) }
            sendContent(
                from: segment.start, UInt64(segment.payload), hasFin: segment.hasFin, isNew: false,
                &fabric)
        }
        return true
    }

    /// Probes for a lost tail after a silence (RFC 8985 §7.3).
    mutating func probe(_ fabric: inout NetworkFabric) {
        let now = fabric.kernel.nowNanoseconds
        if sender.probeIsDue(at: now) {
            let last = sender.scoreboard.lastLeaves(at: now)
            sendContent(
                from: last.start, UInt64(last.payload), hasFin: last.hasFin, isNew: false, &fabric)
        } else {
            sendNew(min(sender.dataEnd - sender.next, sender.segment), &fabric)
        }
    }

    /// Probes a closed window with an empty segment of an old number, as Linux does, or sends the
    /// little that fits. Gives up after too many unanswered probes.
    mutating func askForWindow(_ fabric: inout NetworkFabric) -> TCPNotice {
        if sender.persist.unanswered == Self.dataRetries {
            close(because: .timedOut)
            return .ended
        }
        let now = fabric.kernel.nowNanoseconds
        if sender.windowEnd > sender.next {
            sender.persist.stop()
            sendNew(min(sender.windowEnd - sender.next, sender.dataEnd - sender.next), &fabric)
        } else {
            sender.persist.asks(at: now, timeout: sender.timer.timeout)
            send(.ack, sequence: sender.unacknowledged - 1, &fabric)
        }
        return []
    }

    /// Handles a retransmission timeout (RFC 6298 §5.4 to 5.6).
    mutating func retransmissionIsDue(_ fabric: inout NetworkFabric) -> TCPNotice {
        let retries =
            switch state {
            case .synSent: Self.synRetries
            case .synReceived: Self.synAcknowledgementRetries
            case .closed, .listen, .established, .finWait1, .finWait2, .closing, .timeWait,
                .closeWait, .lastAck:
                Self.dataRetries
            }
        if sender.timer.expiries == retries {
            let isKnownToHost = state != .synReceived
            close(because: .timedOut)
            return isKnownToHost ? .ended : []
        }
        if state.isSynchronized {
            sender.timedOut(at: fabric.kernel.nowNanoseconds)
            searchForBlackHole(&fabric)
            transmit(&fabric)
        } else {
            sender.handshakeTimedOut()
            sendSyn(&fabric)
        }
        return []
    }

    /// Sends or resends the SYN or its answer.
    mutating func sendSyn(_ fabric: inout NetworkFabric) {
        let flags: PacketRecord.Flags = state == .synSent ? .syn : [.syn, .ack]
        sender.next = sender.initialSequence + 1
        sender.timer.start(at: fabric.kernel.nowNanoseconds)
        send(flags, sequence: sender.initialSequence, form: .syn, &fabric)
    }

    mutating func sendAcknowledgement(_ fabric: inout NetworkFabric) {
        guard !receiver.isDisturbed else { return sendSelectiveAcknowledgement(&fabric) }
        send(.ack, sequence: sender.next, &fabric)
    }

    @inline(never)
    private mutating func sendSelectiveAcknowledgement(_ fabric: inout NetworkFabric) {
        let blocks = receiver.tellStretches()
        send(.ack, sequence: sender.next, form: blocks.form, with: blocks, &fabric)
    }

    mutating func sendReset(_ fabric: inout NetworkFabric) {
        send([.rst, .ack], sequence: sender.next, &fabric)
    }

    /// Answers a segment that belongs to no connection (RFC 9293 §3.10.7.1).
    mutating func answerWithReset(_ packet: UnsafePointer<Packet>, _ fabric: inout NetworkFabric) {
        fabric.send(reset(answering: packet, fabric), on: link)
    }

    func reset(
        answering packet: UnsafePointer<Packet>, _ fabric: borrowing NetworkFabric
    ) -> Packet {
        let isAcknowledging = packet.pointee.flags.contains(.ack)
        return Packet(
            endpoint: index ^ 1, generation: generation,
            sequence: isAcknowledging ? packet.pointee.acknowledgement : 0,
            stamp: fabric.kernel.nowNanoseconds, acknowledgement: packet.pointee.endSequence,
            echo: packet.pointee.stamp, window: 0, payload: 0,
            flags: isAcknowledging ? .rst : [.rst, .ack], isIPv6: sender.family == .ipv6)
    }

    /// Sends a new segment, and starts the timers.
    private mutating func sendNew(_ payload: UInt64, _ fabric: inout NetworkFabric) {
        contentLeaves(payload, fabric)
        sendSegment(payload, &fabric)
        sender.armProbe(at: fabric.kernel.nowNanoseconds)
    }

    @inline(__always)
    private mutating func contentLeaves(_ count: UInt64, _ fabric: borrowing NetworkFabric) {
        let now = fabric.kernel.nowNanoseconds
        if count > 0 { receiver.contentLeaves(at: now) }
        if sender.timer.deadline == RetransmissionTimer.never { sender.timer.start(at: now) }
    }

    /// Sends a new segment; the last one carries the FIN.
    @inline(__always)
    private mutating func sendSegment(_ payload: UInt64, _ fabric: inout NetworkFabric) {
        let now = fabric.kernel.nowNanoseconds
        let sequence = sender.next
        var end = sequence &+ payload
        let hasFin = sender.finishRequested && end == sender.dataEnd
        if hasFin {
            end &+= 1
            move(.finSent)
        }
        sender.next = end
        sender.scoreboard.append(
            .init(
                start: sequence, sentAt: now, payload: UInt16(truncatingIfNeeded: payload),
                hasFin: hasFin))
        sendContent(from: sequence, payload, hasFin: hasFin, isNew: true, &fabric)
    }

    @inline(__always)
    private mutating func sendContent(
        from sequence: UInt64, _ payload: UInt64, hasFin: Bool, isNew: Bool,
        _ fabric: inout NetworkFabric
    ) {
        var flags = PacketRecord.Flags.ack
        if payload > 0, sender.isPushed(at: sequence &+ payload) { flags.insert(.psh) }
        if hasFin { flags.insert(.fin) }
        let now = fabric.kernel.nowNanoseconds
        sender.contentLeaves(at: now)
        if sender.pacer.isOn {
            sender.pacePacket(of: sender.family.headerSize + payload, at: now)
        }
        send(
            flags, sequence: sequence, payload: payload,
            isNewContent: isNew && payload > 0, &fabric)
    }

    @inline(__always)
    private mutating func send(
        _ flags: PacketRecord.Flags, sequence: UInt64, payload: UInt64 = 0,
        form: Packet.Form = .plain, with blocks: SelectiveAcknowledgement? = nil,
        isNewContent: Bool = false, _ fabric: inout NetworkFabric
    ) {
        var congestion = CongestionFlags()
        if form == .syn {
            congestion = sender.notification.handshakeFlags(
                isAnswer: state != .synSent, isRepetition: sender.timer.expiries > 0)
        } else if sender.notification.isAgreed, state.isSynchronized {
            congestion = sender.notification.leaves(hasContent: payload > 0, isNew: isNewContent)
        }
        let window =
            form == .syn
            ? receiver.synLeaves()
            : receiver.packetLeaves(tellingAll: flags == .ack && payload == 0)
        fabric.send(
            Packet(
                // The two ends of a connection have neighbouring numbers.
                endpoint: index ^ 1, generation: generation, sequence: sequence,
                stamp: fabric.kernel.nowNanoseconds, acknowledgement: receiver.next,
                echo: receiver.recentStamp,
                window: window,
                payload: UInt16(truncatingIfNeeded: payload), form: form,
                flags: flags.union(congestion.ordinary), ae: congestion.ae,
                codepoint: congestion.codepoint, isIPv6: sender.family == .ipv6),
            with: blocks, on: link)
    }
}
