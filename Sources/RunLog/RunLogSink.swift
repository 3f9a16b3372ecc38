package import Quantities

/// Where a world writes what happens. `Runs` drains it in batches; nobody else reads it.
package struct RunLogSink: Sendable {
    package private(set) var events: [RunEvent] = []
    package private(set) var packets: [PacketRecord] = []
    /// Events of this batch that came before its first packet: a link's plan, above all.
    private var eventsBeforePackets = 0

    package init() {}

    package mutating func record(_ fact: RunEvent.Fact, at now: Instant) {
        events.append(RunEvent(at: now, fact))
        if packets.isEmpty { eventsBeforePackets = events.count }
    }

    package mutating func record(_ packet: PacketRecord) { packets.append(packet) }

    /// Simulated links hand over many at a time: a call for each would cost more than the record.
    package mutating func record(packets batch: UnsafeBufferPointer<PacketRecord>) {
        packets.append(contentsOf: batch)
    }

    /// Hands everything over and keeps the room for the next batch: packets stand in front of the
    /// events that came after the first of them.
    package mutating func drain(into reader: inout some RunLogReader) {
        for event in events[..<eventsBeforePackets] { reader.read(event) }
        packets.withUnsafeBufferPointer { reader.read(packets: $0) }
        for event in events[eventsBeforePackets...] { reader.read(event) }
        packets.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        eventsBeforePackets = 0
    }
}

/// Something that follows a run as it happens: checks, digest, writer, figures.
package protocol RunLogReader {
    mutating func read(_ event: RunEvent)
    mutating func read(packets: UnsafeBufferPointer<PacketRecord>)
}
