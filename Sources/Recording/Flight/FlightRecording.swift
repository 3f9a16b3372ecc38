package import Quantities
import TransferEngine

/// A flight recording that was read from a file.
package struct FlightRecording {
    /// The ending of a recording's file name.
    package static let ending = ".flight"

    /// The kind of the recorded machine.
    package let kind: String
    /// Whether the last block is incomplete, because the process was killed while writing.
    package let isCut: Bool
    private let blocks: [(place: Int, content: ArraySlice<UInt8>)]

    /// A mistake in a file: what is wrong, where, and what to do.
    package struct Mistake: Error, Hashable {
        package let reason: String
    }

    package init(_ file: [UInt8]) throws(Mistake) {
        guard let end = file.prefix(64).firstIndex(of: UInt8(ascii: "\n")),
            case let title = String(decoding: file[...end], as: UTF8.self),
            case let words = title.split(separator: " "), words.count == 4,
            words[0] == "transferlab", words[1] == "flight"
        else {
            throw Mistake(
                reason: "it is no flight recording: these begin with “transferlab flight "
                    + "\(FlightFormat.version)”")
        }
        guard words[2] == FlightFormat.version else {
            throw Mistake(
                reason: "it is written in version \(words[2]), and only version "
                    + "\(FlightFormat.version) can be read: "
                    + "replay it with the program that recorded it")
        }
        kind = String(words[3].dropLast())
        var blocks: [(place: Int, content: ArraySlice<UInt8>)] = []
        var place = end + 1
        var isCut = false
        while place < file.count {
            guard let block = try Self.block(of: file, at: place) else {
                isCut = true
                break
            }
            blocks.append((place, block))
            place = block.endIndex
        }
        self.blocks = blocks
        self.isCut = isCut
    }

    /// Returns the block at `place`; `nil` if the file ends in the middle of the block.
    private static func block(
        of file: [UInt8], at place: Int
    ) throws(Mistake) -> ArraySlice<UInt8>? {
        guard let length = word(of: file, at: place), let sum = word(of: file, at: place + 4)
        else { return nil }
        // After a loss of power a file can be longer than the bytes written to it.
        if length == 0, file[place...].allSatisfy({ $0 == 0 }) { return nil }
        guard length > 0, length < FlightFormat.blockLimit else {
            throw Mistake(reason: "it is damaged at byte \(place): there is no block there")
        }
        let begin = place + 8
        guard begin + Int(length) <= file.count else { return nil }
        let content = file[begin..<begin + Int(length)]
        guard FlightFormat.sum(content) == sum else {
            throw Mistake(
                reason: "it is damaged: the block at byte \(place) is not what was written; "
                    + "cut the file there to replay what comes before")
        }
        return content
    }

    private static func word(of file: [UInt8], at place: Int) -> UInt32? {
        guard place + 4 <= file.count else { return nil }
        return file[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// An input of the recording, and the machine's outputs in the replay.
    package struct Step {
        /// The number of the input, from 1.
        package let number: Int
        package let at: Instant
        package let input: String
        package let outputs: [String]
        package let deadline: Instant?
        /// Whether outputs and deadline are the recorded ones.
        package let isAsRecorded: Bool
    }

    /// Makes the machine again and repeats its inputs. `witness` gets each step; the replay stops
    /// when `witness` returns false.
    package func replay<Machine: FlightMachine>(
        _: Machine.Type, witness: (Step) -> Bool
    ) throws(Mistake) {
        precondition(kind == Machine.kind, "a flight of \(kind)")
        var reader = FlightBytesReader()
        var machine: Machine?
        var now = Instant.start
        var number = 0
        for block in blocks {
            reader.open(block.content)
            do {
                while !reader.isAtEnd {
                    if machine == nil {
                        machine = Machine(
                            try FlightDecoder(reader.value()).part(Machine.Making.self))
                        now = Instant(nanoseconds: try Self.number(reader.value()))
                        continue
                    }
                    let (then, overflow) = now.nanoseconds.addingReportingOverflow(
                        try Self.number(reader.value()))
                    guard !overflow else { throw Mistake(reason: "a time beyond all time") }
                    now = Instant(nanoseconds: then)
                    number += 1
                    let told = try reader.value()
                    let digest = try Self.number(reader.value())
                    let wanted = try reader.value()
                    let input = try FlightDecoder(told).part(Machine.Input.self)
                    var outputs: [Machine.Output] = []
                    let deadline = machine?.handle(input, at: now, into: &outputs) ?? nil
                    let isSame =
                        UInt64(FlightFormat.digest(of: outputs, from: Machine.self)) == digest
                        && (deadline.map { .number($0.nanoseconds) } ?? .nothing) == wanted
                    let step = Step(
                        number: number, at: now, input: told.text,
                        outputs: outputs.map {
                            FlightEncoder.value(of: FlightFormat.cleared($0, Machine.self)).text
                        },
                        deadline: deadline, isAsRecorded: isSame)
                    guard witness(step) else { return }
                }
            } catch {
                throw Mistake(
                    reason: "the block at byte \(block.place) holds no recording of this engine "
                        + "(input \(number): \(Self.reason(of: error))); replay it with the "
                        + "program that recorded it")
            }
        }
        guard machine != nil else {
            throw Mistake(reason: "it is empty: the process has not come to its first input")
        }
    }

    private static func number(_ value: FlightValue) throws(Mistake) -> UInt64 {
        guard case .number(let number) = value else { throw Mistake(reason: "no number") }
        return number
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let mistake as FlightBytesReader.Mistake: mistake.what
        case let mistake as Mistake: mistake.reason
        case DecodingError.keyNotFound(let key, let context):
            "“\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))” is missing"
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")): "
                + context.debugDescription
        default: "\(error)"
        }
    }
}
