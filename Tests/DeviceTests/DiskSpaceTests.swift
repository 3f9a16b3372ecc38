import Device
import Quantities
import Testing

@Suite struct DiskSpaceTests {
    @Test func `what fits is taken to the last byte, and what does not is refused whole`() throws {
        var space = DiskSpace(capacity: ByteCount(100), used: ByteCount(60))
        #expect(throws: DiskRefusal.noSpace) {
            try space.permitWrite(from: .zero, to: ByteCount(41))
        }
        #expect(space.used == ByteCount(60))
        try space.permitWrite(from: .zero, to: ByteCount(40))
        #expect(space.used == ByteCount(100))
        try space.permitWrite(from: ByteCount(40), to: ByteCount(40))
        #expect(throws: DiskRefusal.noSpace) {
            try space.permitWrite(from: ByteCount(40), to: ByteCount(41))
        }
    }

    @Test func `what is given back can be taken again`() throws {
        var space = DiskSpace(capacity: ByteCount(100), used: ByteCount(100))
        try space.permitWrite(from: ByteCount(50), to: ByteCount(30))
        try space.permitWrite(from: .zero, to: ByteCount(20))
        space.changed(from: ByteCount(20), to: .zero)
        #expect(space.used == ByteCount(80))
    }

    /// What a loss of power has brought back took no notice of anybody.
    @Test func `a disk that holds more than it should takes nothing, until there is room`() throws {
        var space = DiskSpace(capacity: ByteCount(100), used: ByteCount(90))
        space.changed(from: .zero, to: ByteCount(30))
        #expect(throws: DiskRefusal.noSpace) {
            try space.permitWrite(from: .zero, to: ByteCount(1))
        }
        space.changed(from: ByteCount(30), to: .zero)
        try space.permitWrite(from: .zero, to: ByteCount(10))
    }

    @Test func `without a capacity there is always room, unless somebody else has taken it`() throws
    {
        var space = DiskSpace()
        try space.permitWrite(from: .zero, to: ByteCount(1 << 60))
        space.condition.take(.full(true))
        #expect(throws: DiskRefusal.noSpace) {
            try space.permitWrite(from: .zero, to: ByteCount(1))
        }
        try space.permitWrite(from: ByteCount(9), to: ByteCount(9))
        try space.permitWrite(from: ByteCount(9), to: ByteCount(3))
    }
}
