package import Quantities

/// The sink for a world's events. Only `Runs` reads it, in batches.
package struct RunLogSink: Sendable {
    package private(set) var events: [RunEvent] = []
    package private(set) var packets: [PacketRecord] = []
    /// The number of events in this batch before its first packet, such as a link's plan.
    private var eventsBeforePackets = 0
    private var hasPackets = false
    /// Parts of this batch, in exact order.
    private var parts: [Part] = []

    private struct Part: Sendable {
        var eventsBeforePackets: Int
        var eventsEnd: Int
        var packetsEnd: Int
    }

    package init() {}

    /// Records a fact; `app` is `nil` for the first app.
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

    /// Records a batch of packets, because a call for each would cost more than the record itself.
    package mutating func record(packets batch: UnsafeBufferPointer<PacketRecord>) {
        packets.append(contentsOf: batch)
        hasPackets = true
    }

    /// Begins a new part: all packets so far come before the latest event, and all later ones after
    /// it. A caller that keeps packets hands them over first.
    package mutating func separate() {
        parts.append(
            Part(
                eventsBeforePackets: eventsBeforePackets, eventsEnd: events.count,
                packetsEnd: packets.count))
        eventsBeforePackets = events.count
        hasPackets = false
    }

    /// Notes that a caller keeps packets, which it will give to `drain`.
    package mutating func notePackets() { hasPackets = true }

    /// Passes everything to a reader and keeps the memory for the next batch. Packets come before
    /// the events that followed the first packet; `latest` comes after all packets recorded here.
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

/// A type that follows a run as it happens, such as a check, the digest or a writer.
package protocol RunLogReader {
    mutating func read(_ event: RunEvent)
    mutating func read(packets: UnsafeBufferPointer<PacketRecord>)
    /// Reads windows of senders, after the packets that were sent until then.
    mutating func read(windows: [CongestionWindow])
}

extension RunLogReader {
    package mutating func read(windows: [CongestionWindow]) {}
}
