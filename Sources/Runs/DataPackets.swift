package import RunLog

/// What became of the packets that carry a client's content: those with a payload, on the first
/// link.
package struct DataPackets: RunLogReader, Sendable, Hashable {
    package private(set) var sent: UInt64 = 0
    package private(set) var delivered: UInt64 = 0
    package private(set) var dropped: UInt64 = 0
    /// Sent though its flow had sent bytes behind it before.
    package private(set) var retransmitted: UInt64 = 0
    /// Of each flow, the number on the wire of the byte behind the last that was sent.
    private var ends: [UInt32?] = []

    package init() {}

    package mutating func read(_ event: RunEvent) {}

    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        for record in packets where record.link == 0 && record.payload > 0 {
            switch record.kind {
            case .sent: send(record)
            case .delivered: delivered &+= 1
            case .dropped: dropped &+= 1
            case .duplicated, .captured: break
            }
        }
    }

    private mutating func send(_ record: PacketRecord) {
        sent &+= 1
        let flow = Int(record.flow)
        while flow >= ends.count { ends.append(nil) }
        let end = record.sequence &+ UInt32(record.payload)
        // Numbers on the wire wrap; what is new is less than half of them ahead.
        if let last = ends[flow], Int32(bitPattern: end &- last) <= 0 {
            retransmitted &+= 1
        } else {
            ends[flow] = end
        }
    }
}
