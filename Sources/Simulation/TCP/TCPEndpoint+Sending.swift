import RunLog

/// What an endpoint puts on the wire, and when it does so again.
extension TCPEndpoint {
    /// Linux's `tcp_syn_retries`, `tcp_synack_retries` and `tcp_retries2`.
    private static let synRetries = 6
    private static let synAcknowledgementRetries = 5
    private static let dataRetries = 15

    /// Sends what the windows allow, from `next` on; whole segments, but for the last.
    @inline(__always)
    mutating func transmit(_ fabric: inout NetworkFabric) {
        guard state.isSynchronized else { return }
        let limit = sender.limit
        while sender.next < sender.dataEnd {
            let payload = min(sender.dataEnd &- sender.next, UInt64(Packet.maximumPayload))
            guard sender.next &+ payload <= limit else { return }
            sendContent(from: sender.next, payload, &fabric)
        }
        if sender.finishRequested, sender.next == sender.dataEnd {
            sendContent(from: sender.next, 0, &fabric)
        }
    }

    /// Sends the first unacknowledged segment again, wherever `next` is.
    mutating func retransmitFirst(_ fabric: inout NetworkFabric) {
        let first = sender.unacknowledged
        let queued = sender.dataEnd > first ? sender.dataEnd - first : 0
        sendContent(from: first, min(queued, UInt64(Packet.maximumPayload)), &fabric)
    }

    /// The retransmission timer has run out (RFC 6298 §5.4 to 5.6).
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
            sender.timedOut()
            sender.timer.stop()
            transmit(&fabric)
        } else {
            sender.handshakeTimedOut()
            sendSyn(&fabric)
        }
        return []
    }

    /// The first segment of a connection, or its answer; sent as often as needed.
    mutating func sendSyn(_ fabric: inout NetworkFabric) {
        let flags: PacketRecord.Flags = state == .synSent ? .syn : [.syn, .ack]
        sender.next = sender.initialSequence + 1
        sender.maximum = sender.next
        sender.timer.start(at: fabric.kernel.nowNanoseconds)
        send(flags, sequence: sender.initialSequence, size: Packet.synSize, &fabric)
    }

    mutating func sendAcknowledgement(_ fabric: inout NetworkFabric) {
        send(.ack, sequence: sender.next, size: Packet.headerSize, &fabric)
    }

    mutating func sendReset(_ fabric: inout NetworkFabric) {
        send([.rst, .ack], sequence: sender.next, size: Packet.headerSize, &fabric)
    }

    /// A segment for which there is no connection (RFC 9293 §3.10.7.1).
    mutating func answerWithReset(_ packet: Packet, _ fabric: inout NetworkFabric) {
        let isAcknowledging = packet.flags.contains(.ack)
        fabric.send(
            Packet(
                endpoint: index ^ 1, sequence: isAcknowledging ? packet.acknowledgement : 0,
                acknowledgement: packet.endSequence, stamp: fabric.kernel.nowNanoseconds,
                echo: packet.stamp, window: 0, payload: 0, size: UInt16(Packet.headerSize),
                flags: isAcknowledging ? .rst : [.rst, .ack]),
            on: link)
    }

    /// A segment of content; the FIN goes with the last.
    @inline(__always)
    private mutating func sendContent(
        from sequence: UInt64, _ payload: UInt64, _ fabric: inout NetworkFabric
    ) {
        var flags = PacketRecord.Flags.ack
        var end = sequence &+ payload
        if end == sender.dataEnd {
            if payload > 0 { flags.insert(.psh) }
            if sender.finishRequested {
                flags.insert(.fin)
                end &+= 1
                if !sender.finWasSent { move(.finSent) }
            }
        }
        if sequence == sender.next { sender.next = end }
        if sender.maximum < end { sender.maximum = end }
        if sender.timer.deadline == RetransmissionTimer.never {
            sender.timer.start(at: fabric.kernel.nowNanoseconds)
        }
        send(
            flags, sequence: sequence, payload: payload,
            size: Packet.headerSize &+ Int(truncatingIfNeeded: payload), &fabric)
    }

    @inline(__always)
    private mutating func send(
        _ flags: PacketRecord.Flags, sequence: UInt64, payload: UInt64 = 0, size: Int,
        _ fabric: inout NetworkFabric
    ) {
        let packet = Packet(
            // The ends of a connection stand side by side.
            endpoint: index ^ 1, sequence: sequence, acknowledgement: receiver.next,
            stamp: fabric.kernel.nowNanoseconds, echo: receiver.recentStamp,
            window: TCPReceiver.window, payload: UInt16(truncatingIfNeeded: payload),
            size: UInt16(truncatingIfNeeded: size), flags: flags)
        receiver.acknowledgementLeaves()
        fabric.send(packet, on: link)
    }
}
