extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Moves the first `count` elements to new memory.
    mutating func move(_ count: Int, toCapacity capacity: Int) {
        let larger = Self.allocate(capacity: capacity)
        larger.moveInitialize(from: self, count: count)
        deallocate()
        self = larger
    }

    /// Moves the elements of a ring to one of twice the capacity.
    @inline(never)
    mutating func growRing(_ numbers: Range<Int>, mask: inout Int) {
        let wide = 2 * mask + 1
        let larger = Self.allocate(capacity: wide + 1)
        for number in numbers {
            (larger + (number & wide)).moveInitialize(from: self + (number & mask), count: 1)
        }
        deallocate()
        self = larger
        mask = wide
    }
}
