import Quantities
import Testing

@testable import Recording

/// Values on their way into a recording and back.
@Suite struct FlightValueTests {
    struct Parts: Codable, Equatable {
        var small: UInt8 = 7
        var large = UInt64.max
        var below: Int64 = .min
        var text = "vidéo.mov"
        var bytes: [UInt8] = [0, 200, 255]
        var none: [UInt8] = []
        var empty: [String] = []
        var missing: Int?
        var there: Bool? = false
        var rows: [[UInt16]] = [[], [1, 60_000]]
        var half = 0.5
        var choice = Choice.labelled(name: "x", [1])
        var plain = Choice.plain
    }

    enum Choice: Codable, Equatable {
        case plain
        case labelled(name: String, [Int])
    }

    private static func written(_ values: [FlightValue]) -> [UInt8] {
        var bytes = FlightBytes()
        for value in values { bytes.put(value) }
        return bytes.take()
    }

    @Test func `what was encoded is decoded as it was, of every kind`() throws {
        let parts = Parts()
        let bytes = Self.written([FlightEncoder.value(of: parts), .nothing])
        var reader = FlightBytesReader()
        reader.open(bytes[...])
        let value = try reader.value()
        #expect(try FlightDecoder(value).part(Parts.self) == parts)
        #expect(try reader.value() == .nothing)
        #expect(reader.isAtEnd)
    }

    @Test func `a name is told once, in whichever block`() throws {
        let record = FlightValue.record([
            .init(key: "duration", value: .number(1)), .init(key: "duration", value: .number(2)),
        ])
        var bytes = FlightBytes()
        bytes.put(record)
        let first = bytes.take()
        bytes.put(record)
        let second = bytes.take()
        #expect(first.count > second.count + 8)
        var reader = FlightBytesReader()
        for block in [first, second] {
            reader.open(block[...])
            #expect(try reader.value() == record)
        }
    }

    @Test func `small numbers take a byte, and the largest their ten`() {
        #expect(Self.written([.number(15)]).count == 1)
        #expect(Self.written([.number(.max)]).count == 9)
    }

    @Test func `bytes that were changed or cut are a value or a mistake, and no crash`() {
        let whole = Self.written([FlightEncoder.value(of: Parts())])
        var random = RandomStream(seed: 11, name: "flight bytes")
        var mistakes = 0
        for round in 0..<4_000 {
            var bytes = whole
            if round % 2 == 0 { bytes.removeLast(Int(random.below(UInt64(bytes.count)))) }
            for _ in 0..<random.below(4) where !bytes.isEmpty {
                bytes[Int(random.below(UInt64(bytes.count)))] = UInt8(random.below(256))
            }
            var reader = FlightBytesReader()
            reader.open(bytes[...])
            do {
                let value = try reader.value()
                _ = value.text
                _ = try FlightDecoder(value).part(Parts.self)
            } catch {
                mistakes += 1
            }
        }
        #expect(mistakes > 1_000)
    }

    @Test func `a value within too many values is refused`() {
        let deep = (0..<100).reduce(FlightValue.nothing) { value, _ in .list([value]) }
        var reader = FlightBytesReader()
        let bytes = Self.written([deep])
        reader.open(bytes[...])
        #expect(throws: FlightBytesReader.Mistake.self) { try reader.value() }
    }

    @Test func `a value reads as one would say it`() {
        #expect(FlightEncoder.value(of: Choice.plain).text == "plain")
        #expect(
            FlightEncoder.value(of: Choice.labelled(name: "x", [1, 2])).text
                == "labelled(name: “x”, [1, 2])")
        #expect(
            FlightValue.bytes(Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)).text
                == "“GET / HTTP/1.1” … (25 B)")
        #expect(FlightValue.bytes([0, 1, 2]).text == "3 B")
    }
}
