import Content
import Quantities
import Testing

@testable import Simulation

@Suite struct SentStreamTests {
    private let head = Segment.bytes(Array("a head of 20 letters".utf8))

    @Test(arguments: [0, 1, 19, 20, 21, 1_000, 1_019], [1, 2, 40, 900])
    func `any stretch is as it was given, across pieces`(offset: UInt64, count: Int) {
        var stream = SentStream()
        let body = ContentRange.file(3, 1_000)
        // As a sender's buffer takes them: a body comes in parts that continue each other.
        let (first, second) = body.split(at: ByteCount(333))
        stream.append([head, .content(first)])
        stream.append([.content(second), head])
        stream.append([.content(.file(4, 1_000))])
        var whole = Array("a head of 20 letters".utf8) + DeterministicBytes.bytes(of: body)
        whole += Array("a head of 20 letters".utf8)
        whole += DeterministicBytes.bytes(of: .file(4, 1_000))
        let end = Int(offset) + count
        #expect(bytes(of: stream, offset, count) == Array(whole[Int(offset)..<end]))
    }

    @Test func `what was never given is not known`() {
        var stream = SentStream()
        #expect(bytes(of: stream, 0, 1) == nil)
        stream.append([head])
        #expect(bytes(of: stream, 0, 21) == nil)
        #expect(bytes(of: stream, 30, 5) == nil)
    }

    @Test func `what lies far back is forgotten, and says so`() {
        var stream = SentStream()
        for _ in 0..<SentStream.limit + 1 { stream.append([head]) }
        #expect(bytes(of: stream, 0, 20) == nil)
        let last = UInt64(20 * SentStream.limit)
        #expect(bytes(of: stream, last, 20) == Array("a head of 20 letters".utf8))
    }

    private func bytes(of stream: SentStream, _ offset: UInt64, _ count: Int) -> [UInt8]? {
        var isKnown = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            isKnown = stream.fill(UnsafeMutableRawBufferPointer(buffer), from: offset)
            filled = isKnown ? count : 0
        }
        return isKnown ? bytes : nil
    }
}
