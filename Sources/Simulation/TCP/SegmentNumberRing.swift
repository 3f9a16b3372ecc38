import LinkModels

/// A queue of segment numbers: a ring that grows by doubling.
struct SegmentNumberRing: ~Copyable, Clonable {
    private var head = 0
    private var tail = 0
    private var slots: UnsafeMutablePointer<Int>
    private var mask = 15

    init() { slots = .allocate(capacity: mask + 1) }

    deinit { slots.deallocate() }

    mutating func unshare() {
        slots = slots.cloned(capacity: mask + 1)
    }

    mutating func append(_ number: Int) {
        if tail - head > mask { slots.growRing(head..<tail, mask: &mask) }
        (slots + (tail & mask)).initialize(to: number)
        tail += 1
    }

    mutating func removeFirst() { head += 1 }

    mutating func removeAll() { head = tail }

    var first: Int? { head == tail ? nil : slots[head & mask] }

    var isEmpty: Bool {
        @inline(__always) get { head == tail }
    }
}
