package import Quantities

/// Where a world writes what happens. `Runs` drains it in batches; nobody else reads it.
package struct RunLogSink: Sendable {
    package private(set) var events: [RunEvent] = []
    package private(set) var packets: [PacketRecord] = []
    /// Events of this batch that came before its first packet: a link's plan, above all.
    private var eventsBeforePackets = 0
    private var hasPackets = false
    /// Parts of this batch whose order among each other is exact.
    private var parts: [Part] = []

    private struct Part: Sendable {
        var eventsBeforePackets: Int
        var eventsEnd: Int
        var packetsEnd: Int
    }

    package init() {}

    /// `app` is said of every app but the first.
    package mutating func record(
        _ fact: RunEvent.Fact, at now: Instant, app: UInt16? = nil
    ) {
        events.append(RunEvent(at: now, app: app, fact))
        if !hasPackets { eventsBeforePackets = events.count }
    }

    package mutating func record(_ packet: PacketRecord) {
        packets.append(packet)
        hasPackets = true
    }

    /// Simulated links hand over many at a time: a call for each would cost more than the record.
    package mutating func record(packets batch: UnsafeBufferPointer<PacketRecord>) {
        packets.append(contentsOf: batch)
        hasPackets = true
    }

    /// The latest event changes what packets may do: all packets so far come before it, and all
    /// that follow come behind it. Whoever keeps packets hands them over first.
    package mutating func separate() {
        parts.append(
            Part(
                eventsBeforePackets: eventsBeforePackets, eventsEnd: events.count,
                packetsEnd: packets.count))
        eventsBeforePackets = events.count
        hasPackets = false
    }

    /// There are packets that somebody else keeps, who will give them to `drain`.
    package mutating func notePackets() { hasPackets = true }

    /// Hands everything over and keeps the room for the next batch: packets stand in front of the
    /// events that came after the first of them. `latest` came after those that were recorded here.
    package mutating func drain(
        into reader: inout some RunLogReader,
        latest: UnsafeBufferPointer<PacketRecord> = UnsafeBufferPointer(start: nil, count: 0)
    ) {
        var (event, packet) = (0, 0)
        for part in parts {
            for event in events[event..<part.eventsBeforePackets] { reader.read(event) }
            read(packet..<part.packetsEnd, into: &reader)
            for event in events[part.eventsBeforePackets..<part.eventsEnd] { reader.read(event) }
            (event, packet) = (part.eventsEnd, part.packetsEnd)
        }
        for event in events[event..<eventsBeforePackets] { reader.read(event) }
        read(packet..<packets.count, into: &reader)
        if !latest.isEmpty { reader.read(packets: latest) }
        for event in events[eventsBeforePackets...] { reader.read(event) }
        packets.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        eventsBeforePackets = 0
        hasPackets = false
    }

    private func read(_ range: Range<Int>, into reader: inout some RunLogReader) {
        guard !range.isEmpty else { return }
        packets.withUnsafeBufferPointer {
            reader.read(packets: UnsafeBufferPointer(rebasing: $0[range]))
        }
    }
}

/// Something that follows a run as it happens: checks, digest, writer, figures.
package protocol RunLogReader {
    mutating func read(_ event: RunEvent)
    mutating func read(packets: UnsafeBufferPointer<PacketRecord>)
}
