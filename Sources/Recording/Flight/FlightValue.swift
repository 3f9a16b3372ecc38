/// A value in a flight recording.
indirect enum FlightValue: Equatable {
    case nothing
    case flag(Bool)
    case number(UInt64)
    case negative(Int64)
    case text(String)
    case bytes([UInt8])
    case list([FlightValue])
    case record([Field])

    /// A field of a record. A key may be given twice.
    struct Field: Equatable {
        var key: String
        var value: FlightValue
    }

    /// The kind of a value, in the lowest bits of its first byte. The upper bits hold a number, a
    /// length or a count.
    fileprivate enum Tag: UInt8 {
        case simple, number, wide, negative, text, bytes, list, record
    }
}

/// Writes values as bytes: a small number as one byte, and a name as text the first time and as its
/// number from then on.
struct FlightBytes {
    private(set) var bytes: [UInt8] = []
    private var names: [String: Int] = [:]

    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func put(_ value: FlightValue) {
        switch value {
        case .nothing: put(.simple, 0)
        case .flag(let flag): put(.simple, flag ? 2 : 1)
        case .number(let number) where number < 1 << 60: put(.number, number)
        case .number(let number):
            put(.wide, 0)
            put(wide: number)
        case .negative(let number):
            put(.negative, 0)
            put(wide: UInt64(bitPattern: number))
        case .text(let text): put(Array(text.utf8), as: .text)
        case .bytes(let some): put(some, as: .bytes)
        case .list(let values):
            put(.list, UInt64(values.count))
            for value in values { put(value) }
        case .record(let fields):
            put(.record, UInt64(fields.count))
            for field in fields {
                put(name: field.key)
                put(field.value)
            }
        }
    }

    private mutating func put(name: String) {
        if let number = names[name] { return put(varint: UInt64(number) + 1) }
        names[name] = names.count
        put(varint: 0)
        put(Array(name.utf8), as: .text)
    }

    private mutating func put(_ some: [UInt8], as tag: FlightValue.Tag) {
        put(tag, UInt64(some.count))
        bytes += some
    }

    private mutating func put(_ tag: FlightValue.Tag, _ number: UInt64) {
        put(varint: number << 3 | UInt64(tag.rawValue))
    }

    private mutating func put(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func put(wide number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// Reads what `FlightBytes` wrote. Any other bytes are a mistake, never a trap.
struct FlightBytesReader {
    private var names: [String] = []
    private var bytes: ArraySlice<UInt8> = []

    struct Mistake: Error {
        let what: String
    }

    /// The limit of nesting, which no written value reaches.
    private static let depthLimit = 64

    /// Continues with the next bytes and the names known so far.
    mutating func open(_ more: ArraySlice<UInt8>) { bytes = more }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func value(depth: Int = 0) throws(Mistake) -> FlightValue {
        guard depth < Self.depthLimit else { throw Mistake(what: "values within values") }
        let head = try varint()
        let number = head >> 3
        switch FlightValue.Tag(rawValue: UInt8(head & 7)) {
        case .simple where number < 3: return number == 0 ? .nothing : .flag(number == 2)
        case .number: return .number(number)
        case .wide where number == 0: return .number(try wide())
        case .negative where number == 0: return .negative(Int64(bitPattern: try wide()))
        case .text: return .text(try text(number))
        case .bytes: return .bytes(Array(try take(number)))
        case .list: return .list(try list(number, depth))
        case .record: return .record(try record(number, depth))
        case .simple, .wide, .negative, nil: throw Mistake(what: "a value of no known kind")
        }
    }

    private mutating func list(_ count: UInt64, _ depth: Int) throws(Mistake) -> [FlightValue] {
        // Each value takes at least one byte, so a damaged count cannot exhaust the memory.
        guard count <= bytes.count else { throw Mistake(what: "a list that goes on") }
        var values: [FlightValue] = []
        for _ in 0..<count { values.append(try value(depth: depth + 1)) }
        return values
    }

    private mutating func record(
        _ count: UInt64, _ depth: Int
    ) throws(Mistake) -> [FlightValue.Field] {
        guard count <= bytes.count else { throw Mistake(what: "a record that goes on") }
        var fields: [FlightValue.Field] = []
        for _ in 0..<count {
            fields.append(.init(key: try name(), value: try value(depth: depth + 1)))
        }
        return fields
    }

    private mutating func name() throws(Mistake) -> String {
        let number = try varint()
        if number > 0 {
            guard number <= names.count else { throw Mistake(what: "a name that was not told") }
            return names[Int(number) - 1]
        }
        guard case .text(let name) = try value(depth: Self.depthLimit - 1) else {
            throw Mistake(what: "a name that is no text")
        }
        names.append(name)
        return name
    }

    private mutating func text(_ count: UInt64) throws(Mistake) -> String {
        guard let text = String(validating: try take(count), as: UTF8.self) else {
            throw Mistake(what: "text that is no UTF-8")
        }
        return text
    }

    private mutating func take(_ count: UInt64) throws(Mistake) -> ArraySlice<UInt8> {
        guard count <= bytes.count else { throw Mistake(what: "an end in the middle of a value") }
        defer { bytes = bytes.dropFirst(Int(count)) }
        return bytes.prefix(Int(count))
    }

    private mutating func varint() throws(Mistake) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = bytes.popFirst() else {
                throw Mistake(what: "an end in the middle of a value")
            }
            let part = UInt64(byte & 0x7f)
            guard shift < 64, (part << shift) >> shift == part else { break }
            number |= part << shift
            if byte < 0x80 { return number }
        }
        throw Mistake(what: "a number that is too large")
    }

    private mutating func wide() throws(Mistake) -> UInt64 {
        var number: UInt64 = 0
        for byte in try take(8).reversed() { number = number << 8 | UInt64(byte) }
        return number
    }
}
