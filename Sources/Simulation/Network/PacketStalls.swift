import LinkModels

/// Packets in the queue of a link, each in a stall whose number the queue knows.
///
/// Storage is raw, because every packet of a queue that decides at dequeue is written and read here
/// once.
struct PacketStalls: ~Copyable, Clonable {
    private(set) var count: UInt64 = 0
    private(set) var bytes: UInt64 = 0
    private var stalls: UnsafeMutablePointer<Parcel>
    private var free: [Int32] = []
    private var used: Int32 = 0
    private var capacity: Int32 = 64

    init() { stalls = .allocate(capacity: Int(capacity)) }

    deinit { stalls.deallocate() }

    mutating func unshare() {
        stalls = stalls.cloned(capacity: Int(capacity))
        keep(free)
    }

    mutating func put(_ parcel: consuming Parcel) -> Int32 {
        let place = free.popLast() ?? makeStall()
        count += 1
        bytes += UInt64(parcel.packet.size)
        (stalls + Int(place)).initialize(to: parcel)
        return place
    }

    mutating func take(_ place: Int32) -> Parcel {
        let parcel = (stalls + Int(place)).move()
        free.append(place)
        count -= 1
        bytes -= UInt64(parcel.packet.size)
        return parcel
    }

    private mutating func makeStall() -> Int32 {
        if used == capacity {
            stalls.move(Int(capacity), toCapacity: 2 * Int(capacity))
            capacity *= 2
        }
        used += 1
        return used - 1
    }
}
