/// The bytes of an emulated link's packets, each in a stall of its own.
///
/// Raw storage that seldom grows, because the emulating thread must not wait for memory.
struct FrameStalls: ~Copyable {
    private var blocks: [UnsafeMutableRawPointer] = []
    private var lengths: [Int] = []
    private var free: [Int32] = []

    /// More than a TUN device of the usual MTU delivers.
    static let size = 2_048
    private static let blockCount = 1_024

    init() { addBlock() }

    deinit { for block in blocks { block.deallocate() } }

    /// The buffer for the next packet, until `keep`.
    var incoming: UnsafeMutableRawBufferPointer {
        mutating get {
            if free.isEmpty { addBlock() }
            let next = start(free[free.count - 1])
            return UnsafeMutableRawBufferPointer(start: next, count: Self.size)
        }
    }

    /// Keeps the packet that was written to `incoming`.
    mutating func keep(_ length: Int) -> Int32 {
        let place = free.removeLast()
        lengths[Int(place)] = length
        return place
    }

    /// The bytes stay valid until the stall is used again.
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
        // Touches all pages in advance.
        block.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        blocks.append(block)
        lengths += [Int](repeating: 0, count: Self.blockCount)
        free.reserveCapacity(blocks.count * Self.blockCount)
        free += (first..<first + Int32(Self.blockCount)).reversed()
    }
}
