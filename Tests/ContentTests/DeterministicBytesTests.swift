import Content
import Quantities
import Testing

@Suite struct DeterministicBytesTests {
    static let first = FileVersion(file: 1, edit: 0)
    static let second = FileVersion(file: 1, edit: 1)

    @Test func `any cut of a range gives the same bytes as the whole`() {
        let range = ContentRange(Self.first, offset: ByteCount(3), length: ByteCount(100))
        let whole = DeterministicBytes.bytes(of: range)
        for cut in [0, 1, 5, 8, 64, 100] {
            let (head, tail) = range.split(at: ByteCount(UInt64(cut)))
            #expect(
                DeterministicBytes.bytes(of: head) + DeterministicBytes.bytes(of: tail) == whole)
        }
    }

    @Test func `a join of two versions is recognised as two ranges`() {
        let head = ContentRange(Self.first, offset: .zero, length: ByteCount(8192))
        let tail = ContentRange(Self.second, offset: ByteCount(8192), length: ByteCount(5000))
        let bytes = DeterministicBytes.bytes(of: head) + DeterministicBytes.bytes(of: tail)
        let found = bytes.withUnsafeBytes {
            DeterministicBytes.recognise($0, at: .zero, among: [Self.first, Self.second])
        }
        #expect(found == [head, tail])
    }

    @Test func `one foreign byte is not overlooked`() {
        let range = ContentRange(Self.first, offset: .zero, length: ByteCount(10_000))
        var bytes = DeterministicBytes.bytes(of: range)
        bytes[9_999] ^= 1
        let found = bytes.withUnsafeBytes {
            DeterministicBytes.recognise($0, at: .zero, among: [Self.first])
        }
        #expect(found.map(\.version) == [Self.first, .unknown])
    }
}
