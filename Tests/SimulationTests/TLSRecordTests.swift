import Content
import Quantities
import RunPlan
import Testing

@testable import Simulation

@Suite struct TLSRecordTests {
    static let forms = [RecordForm(.tls12), RecordForm(.tls13)]

    private static let content: [Segment] = [
        .bytes(Array("PATCH".utf8)), .content(.file(1, 40_000)), .bytes([7]),
    ]

    @Test(arguments: forms, [1, 2, 5, 13, 1_448, 20_000])
    func `what is sealed comes out again, however it is cut on the way`(
        form: RecordForm, step: UInt64
    ) {
        var sealer = RecordSealer(form)
        var opener = RecordOpener(form)
        var sealed = sealer.seal(Self.content) + sealer.sealCloseNotice()
        var opened: [Segment] = []
        while let first = sealed.first {
            let (head, tail) = first.split(at: min(first.length, ByteCount(step)))
            opener.open([head], into: &opened)
            sealed.removeFirst()
            if tail.length > .zero { sealed.insert(tail, at: 0) }
        }
        var bytes: [UInt8] = []
        var ranges: [ContentRange] = []
        for segment in opened {
            switch segment {
            case .bytes(let some): bytes += some
            case .content(let range): ranges.join(range)
            }
        }
        #expect(bytes == Array("PATCH".utf8) + [7])
        #expect(ranges == [.file(1, 40_000)])
    }

    @Test(arguments: zip(forms, [UInt64(29), 22]))
    func `records are as large as they may be, and cost a few bytes each`(
        form: RecordForm, overhead: UInt64
    ) {
        var sealer = RecordSealer(form)
        let sealed = sealer.seal(Self.content)
        // 40 006 bytes are two full records and a third.
        #expect(sealed.length.bytes == 40_006 + 3 * overhead)
    }

    @Test(arguments: forms)
    func `nothing comes out before its record is complete`(form: RecordForm) {
        var sealer = RecordSealer(form)
        var opener = RecordOpener(form)
        let sealed = sealer.seal([.content(.file(1, 100))])
        var opened: [Segment] = []
        for piece in sealed.dropLast() { opener.open([piece], into: &opened) }
        #expect(opened.isEmpty)
        opener.open([sealed[sealed.count - 1]], into: &opened)
        #expect(opened == [.content(.file(1, 100))])
    }

    @Test(arguments: forms)
    func `content before a place is counted without heads and tails`(form: RecordForm) {
        var sealer = RecordSealer(form)
        _ = sealer.seal([.content(.file(1, 20_000))])
        _ = sealer.sealCloseNotice()
        let (head, tail) = (UInt64(form.headSize), UInt64(form.tailSize))
        let places: [(UInt64, UInt64)] = [
            (0, 0), (head, 0), (head + 1, 1), (head + 16_384, 16_384),
            (head + 16_384 + tail, 16_384), (2 * head + 16_384 + tail + 7, 16_391),
            (1 << 30, 20_000),
        ]
        for (place, count) in places {
            #expect(sealer.content(before: place).bytes == count, "at \(place)")
        }
    }
}
