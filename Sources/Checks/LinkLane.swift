import RunLog

/// The accounts of a plain link, opened for a batch of records: the fast path for nearly all
/// packets. Records of several links come in any order. Their lanes are stored side by side, so
/// that one look at a record is enough, whatever its link.
struct LinkLane {
    private(set) var row: PacketsOnWay.Row
    /// Serialisation time in nanoseconds, by packet size.
    private let onWire: UnsafeBufferPointer<UInt64>
    private let delay: UInt64
    private(set) var lastDelivery: UInt64
    private(set) var sentBytes: UInt64 = 0
    private(set) var deliveredBytes: UInt64 = 0
    private(set) var dropped = LinkCount.Tally()
    /// The number of dropped packets that the row has passed.
    private(set) var skipped: UInt32 = 0
    private let shares: FlowShares.Opened

    init(
        row: PacketsOnWay.Row, onWire: UnsafeBufferPointer<UInt64>, delay: UInt64,
        lastDelivery: UInt64, shares: FlowShares.Opened
    ) {
        self.row = row
        self.onWire = onWire
        self.delay = delay
        self.lastDelivery = lastDelivery
        self.shares = shares
    }

    /// The lane of a link that is not plain; it takes no records.
    static var closed: LinkLane {
        LinkLane(
            row: .none, onWire: UnsafeBufferPointer(start: nil, count: 0), delay: 0,
            lastDelivery: 0, shares: .none)
    }

    var isOpen: Bool {
        @inline(__always) get { onWire.baseAddress != nil }
    }

    /// Takes a record of the common kind: the next packet is sent, or the first packet on the way
    /// arrives. Returns false for any other record.
    @inline(__always)
    mutating func take(_ record: UnsafePointer<PacketRecord>) -> Bool {
        let size = record.pointee.size
        if record.pointee.kind == .sent {
            guard record.pointee.packet == row.next, !row.isFull else { return false }
            row.append(PacketsOnWay.Entry(of: record.pointee))
            sentBytes &+= UInt64(size)
            return true
        }
        let first = row.first
        guard record.pointee.kind == .delivered, record.pointee.packet == row.oldest,
            first.look == PacketsOnWay.Entry.look(of: record.pointee),
            record.pointee.codepoint != .experienced, Int(size) < onWire.count
        else { return takeAroundGap(record) }
        let time = record.pointee.atNanoseconds
        let wire = onWire[Int(size)]
        guard time >= first.sentAt &+ wire &+ delay, time >= lastDelivery &+ wire else {
            return false
        }
        lastDelivery = time
        deliveredBytes &+= UInt64(size)
        shares.note(record.pointee.flow, size)
        row.takeOffFirst()
        return true
    }

    /// Takes a record when a packet is dropped, or when the first packets on the way were dropped.
    @inline(never)
    private mutating func takeAroundGap(_ record: UnsafePointer<PacketRecord>) -> Bool {
        guard record.pointee.kind == .dropped else {
            let gap = row.settle()
            skipped &+= gap
            return gap > 0 && take(record)
        }
        guard let entry = row[record.pointee.packet], entry.size == record.pointee.size,
            record.pointee.atNanoseconds >= entry.sentAt
        else { return false }
        row.takeOff(record.pointee.packet)
        dropped.add(bytes: Int(entry.size))
        return true
    }
}

extension UnsafeMutableBufferPointer<LinkLedger> {
    /// Takes a batch into the ledgers of its links; returns the index of the first impossible
    /// record, or the end.
    func take(_ batch: UnsafeBufferPointer<PacketRecord>) -> Int {
        guard let records = batch.baseAddress else { return 0 }
        return withUnsafeTemporaryAllocation(of: LinkLane.self, capacity: count) { lanes in
            var place = 0
            while place < batch.count {
                place = openLanes(lanes) { take(records, from: place, to: batch.count, lanes) }
                guard place < batch.count else { break }
                // A record that no open lane takes goes to the link's ledger.
                let record = records[place]
                if Int(record.link) < count {
                    guard self[Int(record.link)].take(record) else { return place }
                } else if record.kind != .captured {
                    return place
                }
                place += 1
            }
            return batch.count
        }
    }

    /// Opens the ledgers' lanes one by one, and closes them after the work.
    private func openLanes(
        _ lanes: UnsafeMutableBufferPointer<LinkLane>, from index: Int = 0, for work: () -> Int
    ) -> Int {
        guard index < count else { return work() }
        return self[index].withLane { lane in
            lanes.initializeElement(at: index, to: lane)
            let end = openLanes(lanes, from: index + 1, for: work)
            lane = lanes.moveElement(from: index)
            return end
        }
    }

    /// Takes records until one fits neither an open lane nor the ledger of a closed one.
    private func take(
        _ records: UnsafePointer<PacketRecord>, from begin: Int, to end: Int,
        _ lanes: UnsafeMutableBufferPointer<LinkLane>
    ) -> Int {
        guard let first = lanes.baseAddress else { return begin }
        let laneCount = count
        var place = begin
        while place < end {
            let link = Int(records[place].link)
            guard link < laneCount else { break }
            let isTaken =
                (first + link).pointee.isOpen
                ? (first + link).pointee.take(records + place) : self[link].take(records[place])
            guard isTaken else { break }
            place &+= 1
        }
        return place
    }
}
