/// Decodes recorded values, which may have come from anywhere.
struct FlightDecoder: Decoder {
    let value: FlightValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: FlightValue, at path: [any CodingKey] = []) {
        self.value = value
        codingPath = path
    }

    /// Decodes the whole value. Lists of bytes are recorded as bytes.
    func part<Part: Decodable>(_ type: Part.Type) throws -> Part {
        if type == [UInt8].self, case .bytes(let bytes) = value, let part = bytes as? Part {
            return part
        }
        return try Part(from: self)
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

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    fileprivate func mistake(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: what))
    }
}

private struct Single: SingleValueDecodingContainer {
    let decoder: FlightDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value == .nothing }
    func decode(_: Bool.Type) throws -> Bool {
        guard case .flag(let flag) = decoder.value else {
            throw decoder.mistake("neither true nor false")
        }
        return flag
    }
    func decode(_: String.Type) throws -> String {
        guard case .text(let text) = decoder.value else { throw decoder.mistake("no text") }
        return text
    }
    func decode(_: Double.Type) throws -> Double { Double(bitPattern: try decode(UInt64.self)) }
    func decode(_: Float.Type) throws -> Float { Float(bitPattern: try decode(UInt32.self)) }
    func decode<Number: FixedWidthInteger & Decodable>(_: Number.Type) throws -> Number {
        let number: Number? =
            switch decoder.value {
            case .number(let number): Number(exactly: number)
            case .negative(let number): Number(exactly: number)
            default: nil
            }
        guard let number else { throw decoder.mistake("no \(Number.self)") }
        return number
    }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.part(type) }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [FlightValue.Field]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { fields.contains { $0.key == key.stringValue } }

    private func decoder(_ key: Key) throws -> FlightDecoder {
        guard let field = fields.first(where: { $0.key == key.stringValue }) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "a key is missing"))
        }
        return FlightDecoder(field.value, at: codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .nothing }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder(key).part(type)
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

    private mutating func next() throws -> FlightDecoder {
        guard !isAtEnd else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "the list is too short"))
        }
        defer { currentIndex += 1 }
        return FlightDecoder(values[currentIndex], at: codingPath)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, values[currentIndex] == .nothing else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().part(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
