import Quantities
import Testing

@testable import Protocols

/// The books of both ends against sets of numbers.
@Suite struct PacketNumberTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `the receiver's book knows what has arrived and what is missing`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "numbers")
        var book = ArrivedNumbers()
        var known: Set<UInt64> = []
        var floor: UInt64 = 0
        // Numbers arrive about in order; gaps up to several words are left behind.
        let reach = [3, 70, 700, 5_000][Int(seed % 4)]
        for step in 0..<2_000 as Range<UInt64> {
            let number = step * 2 + random.below(UInt64(reach))
            let isNew = book.insert(number)
            let wasMissing = number >= floor && !known.contains(number)
            #expect(isNew == wasMissing, "number \(number) in step \(step)")
            known.insert(number)
            if random.below(20) == 0 {
                floor = max(floor, book.contiguous + random.below(UInt64(reach)))
                book.giveUp(below: floor)
            }
            floor = max(floor, book.contiguous)
            var expected = floor
            while known.contains(expected) { expected += 1 }
            #expect(book.contiguous == expected)
            floor = expected
            guard step % 50 == 0 else { continue }
            let missing = book.missing(from: book.contiguous, below: book.end)
            let told = missing.ranges.flatMap { Array($0) }
            #expect(told == (book.contiguous..<missing.end).filter { !known.contains($0) })
        }
    }

    @Test func `a number from far beyond is no number of this session`() {
        var book = ArrivedNumbers()
        let far = [1 << 40, ArrivedNumbers.widest].map { book.insert($0) }
        #expect(far == [false, false])
        book.giveUp(below: 1 << 40)
        #expect(book.contiguous == 0)
        let first = book.insert(0)
        #expect(first)
        #expect(book.contiguous == 1)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the sender's book keeps the content of what is not settled`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "packets")
        var book = SentPackets()
        var content: [UInt64: [PacedChunk]] = [:]
        var settled: Set<UInt64> = []
        for step in 0..<6_000 as Range<UInt64> {
            var chunks: [PacedChunk] = []
            for _ in 0..<random.below(4) {
                chunks.append(PacedChunk(file: UInt32(step), offset: random.next(), length: 9))
            }
            for chunk in chunks { book.add(chunk) }
            let number = book.close()
            #expect(number == step)
            content[number] = chunks
            let some = book.floor + random.below(book.end - book.floor)
            if random.below(2) == 0 {
                let isOpen = book.settleMissing(some)
                #expect(isOpen == settled.insert(some).inserted)
            } else {
                let range = some..<min(some + random.below(90), book.end)
                book.settle(range)
                settled.formUnion(range)
            }
            // A receiver tells at most what it has, in steps.
            if random.below(30) == 0 {
                book.forget(below: book.floor)
            } else {
                book.forget(below: 0)
            }
            var floor = book.floor
            while settled.contains(floor) { floor += 1 }
            #expect(book.floor == floor)
            #expect(book.floor == 0 || settled.contains(book.floor - 1))
            let open = book.floor + random.below(book.end - book.floor + 1)
            guard open < book.end else { continue }
            #expect(Array(book.chunks(of: open)) == content[open] ?? [])
        }
    }

    @Test func `headers leave as much of a packet as the specification promises`() {
        #expect(PacedFormat.headers <= 84)
        let payload = Double(PacedFormat.usualPacket - PacedFormat.headers) / 1_500
        #expect(payload >= 0.944)
        #expect(PacedFormat.size(of: 0) == 1)
        #expect(PacedFormat.size(of: 127) == 1)
        #expect(PacedFormat.size(of: 128) == 2)
        #expect(PacedFormat.size(of: .max) == 10)
    }
}
