import Quantities
import Testing

@testable import Protocols

/// The ring of bytes that an end of a stream keeps.
@Suite struct StreamContentTests {
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `it keeps what was written anywhere, until it is given back`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "ring")
        var content = StreamContent()
        var known: [UInt8?] = []
        var start = 0
        for _ in 0..<60 {
            let offset = start + Int(random.below(200_000))
            let bytes = (0..<random.below(5_000)).map { _ in UInt8(random.below(256)) }
            bytes.withUnsafeBytes { content.write($0, at: UInt64(offset)) }
            if known.count < offset + bytes.count {
                known += Array(repeating: nil, count: offset + bytes.count - known.count)
            }
            for (place, byte) in bytes.enumerated() { known[offset + place] = byte }
            if random.below(3) == 0 {
                start = min(start + Int(random.below(100_000)), known.count)
                content.forget(below: UInt64(start))
            }
            #expect(content.start == UInt64(start))
            guard start < known.count else { continue }
            let first = start + Int(random.below(UInt64(known.count - start)))
            let count = min(Int(random.below(50_000)), known.count - first)
            var read = [UInt8](repeating: 0, count: count)
            read.withUnsafeMutableBytes { content.copy(from: UInt64(first), to: $0) }
            for (byte, expected) in zip(read, known[first..<first + count]) {
                guard let expected else { continue }
                guard byte == expected else {
                    Issue.record("byte \(byte) instead of \(expected)")
                    return
                }
            }
        }
    }
}
