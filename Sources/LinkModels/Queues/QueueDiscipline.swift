import Quantities

/// The decision of a discipline about an arriving packet.
enum ArrivalVerdict {
    case join
    /// The packet joins the queue with a mark instead of being dropped.
    case mark
    case drop
}

/// The catalogue of disciplines that decide about waiting packets.
/// It is an enum with a `switch`, because a discipline is chosen at run time and called for every
/// packet. A value is taken out of the enum before it changes, to avoid copies.
enum QueueDiscipline: Sendable {
    case dropHead
    case coDel(CoDel)
    case fairQueueCoDel(FairQueueCoDel)
    case pie(PIE)
    case red(RED)
    case dualPI2(DualPI2)
    case cake(Cake)

    init(_ plan: DisciplinePlan, rate: Bitrate, random: RandomStream) {
        self =
            switch plan {
            case .dropHead: .dropHead
            case .coDel(let options): .coDel(CoDel(options))
            case .fairQueueCoDel(let options): .fairQueueCoDel(.init(options, random: random))
            case .pie(let options): .pie(PIE(options, random: random))
            case .red(let options): .red(RED(options, random: random))
            case .dualPI2(let options): .dualPI2(DualPI2(options, random: random))
            case .cake(let options): .cake(Cake(options, rate: rate, random: random))
            }
    }

    mutating func enqueue(
        _ packet: WaitingPacket, limit: UInt64, _ room: inout WaitingRoom,
        _ givenUp: inout [Int32]
    ) {
        let isFull = room.bytes + UInt64(packet.size) > limit
        switch self {
        case .dropHead:
            room.append(packet, to: 0)
            while room.bytes > limit, let victim = room.removeFirst(of: 0) {
                givenUp.append(victim.place)
            }
        case .fairQueueCoDel(var state):
            self = .dropHead
            state.enqueue(packet, &room)
            while room.bytes > limit { state.makeRoom(&room, &givenUp) }
            self = .fairQueueCoDel(state)
        case .cake(var state):
            self = .dropHead
            state.enqueue(packet, &room)
            while room.bytes > limit { state.makeRoom(at: packet.enqueuedAt, &room, &givenUp) }
            self = .cake(state)
        case .dualPI2(var state):
            defer { self = .dualPI2(state) }
            state.update(at: packet.enqueuedAt, room)
            let line = DualPI2.line(of: packet)
            if isFull { givenUp.append(packet.place) } else { room.append(packet, to: line) }
        case .coDel:
            if isFull { givenUp.append(packet.place) } else { room.append(packet, to: 0) }
        case .pie(var state):
            let verdict = state.judge(packet, at: packet.enqueuedAt, waiting: room.bytes)
            self = .pie(state)
            admit(packet, isFull ? .drop : verdict, &room, &givenUp)
        case .red(var state):
            let verdict = state.judge(packet, waiting: room.bytes)
            self = .red(state)
            admit(packet, isFull ? .drop : verdict, &room, &givenUp)
        }
    }

    private func admit(
        _ packet: WaitingPacket, _ verdict: ArrivalVerdict, _ room: inout WaitingRoom,
        _ givenUp: inout [Int32]
    ) {
        switch verdict {
        case .join: room.append(packet, to: 0)
        case .mark: room.append(packet.marked, to: 0)
        case .drop: givenUp.append(packet.place)
        }
    }

    mutating func dequeue(
        at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]
    ) -> WaitingPacket? {
        switch self {
        case .dropHead, .red: return room.removeFirst(of: 0)
        case .coDel(var state):
            defer { self = .coDel(state) }
            return state.dequeue(0, at: now, &room, &givenUp)
        case .fairQueueCoDel(var state):
            self = .dropHead
            defer { self = .fairQueueCoDel(state) }
            return state.dequeue(at: now, &room, &givenUp)
        case .cake(var state):
            self = .dropHead
            defer { self = .cake(state) }
            return state.dequeue(at: now, &room, &givenUp)
        case .dualPI2(var state):
            defer { self = .dualPI2(state) }
            return state.dequeue(at: now, &room, &givenUp)
        case .pie(var state):
            defer { self = .pie(state) }
            let packet = room.removeFirst(of: 0)
            if let packet { state.left(packet, at: now, waiting: room.bytes) }
            return packet
        }
    }

    /// Notes an idle time in which this many full packets could have been sent.
    mutating func stoodEmpty(for packets: UInt64) {
        guard case .red(var state) = self else { return }
        state.stoodEmpty(for: packets)
        self = .red(state)
    }
}
