package import RunLog

/// Counts of the packets that carry a client's content: packets with a payload, on the first link.
package struct DataPackets: RunLogReader, Sendable, Hashable {
    package private(set) var sent: UInt64 = 0
    package private(set) var delivered: UInt64 = 0
    package private(set) var dropped: UInt64 = 0
    /// Packets that do not begin with new bytes of their flow.
    package private(set) var retransmitted: UInt64 = 0
    /// The flow of the latest packet, and the sequence number after the last byte that it has sent.
    private var flow: UInt16 = 0
    private var end: UInt32 = 0
    private var hasEnd = false
    /// The ends of all flows. The latest is kept apart, because a flow often sends several packets
    /// in a row.
    private var ends: [UInt32?] = []

    package mutating func read(_ event: RunEvent) {}

    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        guard let records = packets.baseAddress else { return }
        for place in 0..<packets.count {
            // Uses a pointer, because most records are not read any further.
            let record = records + place
            guard record.pointee.link == 0, record.pointee.payload > 0 else { continue }
            // Avoids a switch, whose jump the processor mispredicts every third time.
            if record.pointee.kind == .delivered {
                delivered &+= 1
            } else if record.pointee.kind == .sent {
                send(record)
            } else if record.pointee.kind == .dropped {
                dropped &+= 1
            }
        }
    }

    @inline(__always)
    private mutating func send(_ record: UnsafePointer<PacketRecord>) {
        sent &+= 1
        if record.pointee.flow != flow { change(to: record.pointee.flow) }
        let end = record.pointee.sequence &+ UInt32(record.pointee.payload)
        // Sequence numbers wrap; new bytes are less than half of the range ahead.
        if hasEnd, Int32(bitPattern: end &- self.end) <= 0 {
            retransmitted &+= 1
        } else {
            self.end = end
            hasEnd = true
        }
    }

    private mutating func change(to flow: UInt16) {
        while Int(max(flow, self.flow)) >= ends.count { ends.append(nil) }
        ends[Int(self.flow)] = hasEnd ? end : nil
        hasEnd = ends[Int(flow)] != nil
        end = ends[Int(flow)] ?? 0
        self.flow = flow
    }
}
