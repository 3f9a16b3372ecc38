import LinkModels

/// Events not yet told to the hosts, in order.
///
/// Storage is raw, because nearly every packet of content is an event.
struct HostNews: ~Copyable, Clonable {
    private var row: UnsafeMutablePointer<NetworkEvent>
    private var capacity = 16
    private var head = 0
    private var tail = 0

    init() { row = .allocate(capacity: capacity) }

    deinit { row.deallocate() }

    mutating func unshare() {
        row = row.cloned(capacity: capacity)
    }

    var isEmpty: Bool {
        @inline(__always) get { head == tail }
    }

    @inline(__always)
    mutating func append(_ event: NetworkEvent) {
        if tail == capacity { makeRoom() }
        (row + tail).initialize(to: event)
        tail &+= 1
    }

    @inline(__always)
    mutating func take() -> NetworkEvent? {
        guard head != tail else { return nil }
        let event = row[head]
        head &+= 1
        if head == tail {
            head = 0
            tail = 0
        }
        return event
    }

    private mutating func makeRoom() {
        let larger = UnsafeMutablePointer<NetworkEvent>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: row + head, count: tail - head)
        row.deallocate()
        row = larger
        (head, tail) = (0, tail - head)
        capacity *= 2
    }
}
