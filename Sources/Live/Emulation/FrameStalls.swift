/// The bytes of packets that an emulated link holds, each in a stall of its own.
///
/// Raw storage, made once and added to rarely: the thread that emulates may not wait for memory.
struct FrameStalls: ~Copyable {
    private var blocks: [UnsafeMutableRawPointer] = []
    private var lengths: [Int] = []
    private var free: [Int32] = []

    /// What a TUN device of the usual MTU hands over, and more.
    static let size = 2_048
    private static let blockCount = 1_024

    init() { addBlock() }

    deinit { for block in blocks { block.deallocate() } }

    /// Where the next packet is to be written to; it is taken by `keep`.
    var incoming: UnsafeMutableRawBufferPointer {
        mutating get {
            if free.isEmpty { addBlock() }
            let next = start(free[free.count - 1])
            return UnsafeMutableRawBufferPointer(start: next, count: Self.size)
        }
    }

    /// So many bytes have been written to where `incoming` pointed.
    mutating func keep(_ length: Int) -> Int32 {
        let place = free.removeLast()
        lengths[Int(place)] = length
        return place
    }

    /// The bytes stay readable until the stall is written to again.
    mutating func release(_ place: Int32) { free.append(place) }

    mutating func copy(_ place: Int32) -> Int32 {
        let original = content(place)
        incoming.copyMemory(from: UnsafeRawBufferPointer(original))
        return keep(original.count)
    }

    func content(_ place: Int32) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: start(place), count: lengths[Int(place)])
    }

    private func start(_ place: Int32) -> UnsafeMutableRawPointer {
        let (block, index) = Int(place).quotientAndRemainder(dividingBy: Self.blockCount)
        return blocks[block] + index * Self.size
    }

    private mutating func addBlock() {
        let first = Int32(blocks.count * Self.blockCount)
        let bytes = Self.blockCount * Self.size
        let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        // Written once, so that no page is missing later.
        block.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        blocks.append(block)
        lengths += [Int](repeating: 0, count: Self.blockCount)
        free.reserveCapacity(blocks.count * Self.blockCount)
        free += (first..<first + Int32(Self.blockCount)).reversed()
    }
}
