package import Quantities

/// Where a world writes what happens. `Runs` drains it in batches; nobody else reads it.
package struct RunLogSink: Sendable {
    package private(set) var events: [RunEvent] = []
    package private(set) var packets: [PacketRecord] = []

    package init() {}

    package mutating func record(_ fact: RunEvent.Fact, at now: Instant) {
        events.append(RunEvent(at: now, fact))
    }

    @inline(__always)
    package mutating func record(_ packet: PacketRecord) { packets.append(packet) }

    /// Hands everything over and keeps the room for the next batch.
    package mutating func drain(into reader: inout some RunLogReader) {
        packets.withUnsafeBufferPointer { reader.read(packets: $0) }
        for event in events { reader.read(event) }
        packets.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
    }
}

/// Something that follows a run as it happens: checks, digest, writer, figures.
package protocol RunLogReader {
    mutating func read(_ event: RunEvent)
    mutating func read(packets: UnsafeBufferPointer<PacketRecord>)
}
