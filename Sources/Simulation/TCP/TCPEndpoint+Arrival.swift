import RunLog

/// Handles arriving segments (RFC 9293 §3.10.7).
extension TCPEndpoint {
    /// Returns whether a packet brings the next content and nothing else, to an endpoint in its
    /// steady state: most packets of a long transfer.
    @inline(__always)
    func isUsual(_ packet: UnsafePointer<Packet>) -> Bool {
        isSteady && packet.pointee.isPlainContent && packet.pointee.sequence == receiver.next
            && packet.pointee.acknowledgement == sender.unacknowledged
            && packet.pointee.window == sender.latestWindow
    }

    /// Handles a usual packet as `arrived` does, with fewer checks.
    @_transparent
    mutating func usualArrived(
        _ packet: UnsafePointer<Packet>, _ fabric: inout NetworkFabric
    ) -> TCPNotice {
        receiver.takeNext(packet, at: fabric.kernel.nowNanoseconds)
        var notice: TCPNotice = []
        if !receiver.isReadAnnounced {
            receiver.isReadAnnounced = true
            notice = .readable
        }
        if receiver.mustAcknowledge { sendAcknowledgement(&fabric) }
        // The other deadlines have not changed.
        if receiver.deadline < wakeAt { wakeEarlier(at: receiver.deadline, &fabric) }
        return notice
    }

    mutating func arrived(_ packet: UnsafePointer<Packet>, _ fabric: inout NetworkFabric)
        -> TCPNotice
    {
        var notice: TCPNotice = []
        if state != .established || !packet.pointee.flags.isOfEstablished {
            guard goesOn(with: packet, &notice, &fabric) else {
                arm(&fabric)
                return notice
            }
        }
        let now = fabric.kernel.nowNanoseconds
        let mayProceed =
            if packet.pointee.hasBlocks {
                // The peer sends by the opposite link.
                sender.acknowledgementArrived(
                    packet, with: fabric.blocks(of: packet, on: link ^ 1), at: now)
            } else {
                sender.acknowledgementArrived(packet, at: now)
            }
        if packet.pointee.payload == 0, !packet.pointee.flags.contains(.fin) {
            receiver.takeEmpty(packet)
        } else {
            receiver.take(packet, at: now)
            if sender.notification.isAgreed, sender.notification.contentArrived(packet) {
                receiver.acknowledgeAtOnce()
            }
            if receiver.unread > 0 {
                if isAbandoned { return refuseContent(&fabric) }
                if !receiver.isReadAnnounced {
                    receiver.isReadAnnounced = true
                    notice.insert(.readable)
                }
            }
        }
        if state != .established || receiver.isFinished { noteProgress(&notice) }
        if sender.wantsRoom, sender.hasAmpleRoom {
            sender.roomIsTold()
            notice.insert(.roomAvailable)
        }
        if mayProceed { transmit(&fabric) }
        // A packet sent just now may have acknowledged already.
        if receiver.mustAcknowledge { sendAcknowledgement(&fabric) }
        arm(&fabric)
        noteSteadiness(packet)
        return notice
    }

    /// Handles SYN, RST and unusual states; returns whether to go on as usual.
    private mutating func goesOn(
        with packet: UnsafePointer<Packet>, _ notice: inout TCPNotice, _ fabric: inout NetworkFabric
    ) -> Bool {
        if packet.pointee.isRoutersMessage {
            heardOfLimit(packet, &fabric)
            return false
        }
        switch state {
        case .closed:
            if !packet.pointee.flags.contains(.rst) { answerWithReset(packet, &fabric) }
            return false
        case .listen:
            receiver.synArrived(packet, at: fabric.kernel.nowNanoseconds)
            sender.notification.synArrived(packet)
            move(.synArrived)
            sendSyn(&fabric)
            return false
        case .synSent:
            if packet.pointee.flags.contains(.rst) {
                close(because: .refused)
                notice.insert(.ended)
                return false
            }
            receiver.synArrived(packet, at: fabric.kernel.nowNanoseconds)
            sender.notification.synArrived(packet)
            move(.synAckArrived)
            notice.insert(.connected)
            return true
        case .synReceived:
            return goesOnFromSynReceived(with: packet, &notice, &fabric)
        case .established, .finWait1, .finWait2, .closing, .timeWait, .closeWait, .lastAck:
            if packet.pointee.flags.contains(.rst) {
                if end == nil { notice.insert(.ended) }
                close(because: .reset)
                return false
            }
            // A retransmitted SYN: the acknowledgement of the first was lost.
            if packet.pointee.flags.contains(.syn) { sendAcknowledgement(&fabric) }
            return !packet.pointee.flags.contains(.syn)
        }
    }

    private mutating func goesOnFromSynReceived(
        with packet: UnsafePointer<Packet>, _ notice: inout TCPNotice, _ fabric: inout NetworkFabric
    ) -> Bool {
        if packet.pointee.flags.contains(.rst) {
            // The host has not heard of this connection, and does not hear of its end.
            close(because: .reset)
            return false
        }
        if packet.pointee.flags.contains(.syn) {
            sendSyn(&fabric)
            return false
        }
        move(.synAcknowledged)
        isHeld = true
        notice.insert(.accepted)
        return true
    }

    private mutating func noteProgress(_ notice: inout TCPNotice) {
        if sender.finIsAcknowledged, state.after(.finAcknowledged) != nil {
            move(.finAcknowledged)
        }
        if receiver.isFinished, state.after(.finArrived) != nil {
            move(.finArrived)
            notice.insert(.peerFinished)
        }
        if end == nil, state == .timeWait || state == .closed {
            closeInOrder()
            notice.insert(.ended)
        }
    }

    /// Resets a connection whose process is gone (RFC 9293 §3.6.1), so that no content is lost
    /// silently.
    private mutating func refuseContent(_ fabric: inout NetworkFabric) -> TCPNotice {
        sendReset(&fabric)
        close(because: .reset)
        arm(&fabric)
        return .ended
    }
}
