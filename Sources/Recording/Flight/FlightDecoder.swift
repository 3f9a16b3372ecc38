/// Makes what is `Decodable` of values, which may have come from anywhere.
struct FlightDecoder: Decoder {
    let value: FlightValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: FlightValue, at path: [any CodingKey] = []) {
        self.value = value
        codingPath = path
    }

    static func part<Part: Decodable>(
        _ type: Part.Type, of value: FlightValue, at path: [any CodingKey] = []
    ) throws -> Part {
        if type == [UInt8].self, case .bytes(let bytes) = value, let part = bytes as? Part {
            return part
        }
        return try Part(from: FlightDecoder(value, at: path))
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard case .record(let fields) = value else { throw mistake("no record") }
        return KeyedDecodingContainer(Keyed<Key>(fields: fields, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let values) = value else { throw mistake("no list") }
        return Row(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        Single(value: value, codingPath: codingPath)
    }

    private func mistake(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: what))
    }
}

private struct Single: SingleValueDecodingContainer {
    let value: FlightValue
    let codingPath: [any CodingKey]

    private func mistake(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: what))
    }
    private func number<Number: FixedWidthInteger>() throws -> Number {
        let number: Number? =
            switch value {
            case .number(let number): Number(exactly: number)
            case .negative(let number): Number(exactly: number)
            default: nil
            }
        guard let number else { throw mistake("no \(Number.self)") }
        return number
    }
    func decodeNil() -> Bool { value == .nothing }
    func decode(_: Bool.Type) throws -> Bool {
        guard case .flag(let flag) = value else { throw mistake("neither true nor false") }
        return flag
    }
    func decode(_: String.Type) throws -> String {
        guard case .text(let text) = value else { throw mistake("no text") }
        return text
    }
    func decode(_: Double.Type) throws -> Double { Double(bitPattern: try number()) }
    func decode(_: Float.Type) throws -> Float { Float(bitPattern: try number()) }
    func decode(_: Int.Type) throws -> Int { try number() }
    func decode(_: Int8.Type) throws -> Int8 { try number() }
    func decode(_: Int16.Type) throws -> Int16 { try number() }
    func decode(_: Int32.Type) throws -> Int32 { try number() }
    func decode(_: Int64.Type) throws -> Int64 { try number() }
    func decode(_: UInt.Type) throws -> UInt { try number() }
    func decode(_: UInt8.Type) throws -> UInt8 { try number() }
    func decode(_: UInt16.Type) throws -> UInt16 { try number() }
    func decode(_: UInt32.Type) throws -> UInt32 { try number() }
    func decode(_: UInt64.Type) throws -> UInt64 { try number() }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try FlightDecoder.part(type, of: value, at: codingPath)
    }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [(key: String, value: FlightValue)]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { fields.contains { $0.key == key.stringValue } }

    private func value(_ key: Key) throws -> FlightValue {
        guard let field = fields.first(where: { $0.key == key.stringValue }) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "a key is missing"))
        }
        return field.value
    }
    private func single(_ key: Key) throws -> Single {
        Single(value: try value(key), codingPath: codingPath + [key])
    }
    private func decoder(_ key: Key) throws -> FlightDecoder {
        FlightDecoder(try value(key), at: codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try single(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try single(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try single(key).decode(type)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try single(key).decode(type)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try single(key).decode(type)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try single(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try single(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try single(key).decode(type)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try single(key).decode(type)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try single(key).decode(type)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try single(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try single(key).decode(type)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try single(key).decode(type)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try single(key).decode(type)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try single(key).decode(type)
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try single(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder {
        FlightDecoder(.record(fields), at: codingPath)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct Row: UnkeyedDecodingContainer {
    let values: [FlightValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(values: [FlightValue], codingPath: [any CodingKey]) {
        self.values = values
        self.codingPath = codingPath
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    private mutating func next() throws -> FlightValue {
        guard !isAtEnd else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "the list is too short"))
        }
        defer { currentIndex += 1 }
        return values[currentIndex]
    }
    private mutating func single() throws -> Single {
        Single(value: try next(), codingPath: codingPath)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, values[currentIndex] == .nothing else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try single().decode(type) }
    mutating func decode(_ type: String.Type) throws -> String { try single().decode(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try single().decode(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try single().decode(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try single().decode(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try single().decode(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try single().decode(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try single().decode(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try single().decode(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try single().decode(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try single().decode(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try single().decode(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try single().decode(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try single().decode(type) }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try single().decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try FlightDecoder(try next(), at: codingPath).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try FlightDecoder(try next(), at: codingPath).unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder {
        FlightDecoder(try next(), at: codingPath)
    }
}
