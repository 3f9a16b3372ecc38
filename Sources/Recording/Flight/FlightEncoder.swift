/// Makes values of what is `Encodable`: the parts of an engine's inputs describe themselves once.
struct FlightEncoder {
    static func value<Part: Encodable>(of part: Part) -> FlightValue {
        // By its type: an empty list of anything could pass for one of bytes.
        if Part.self == [UInt8].self, let bytes = part as? [UInt8] { return .bytes(bytes) }
        let node = Node()
        do {
            try part.encode(to: Walker(node: node))
        } catch {
            preconditionFailure("\(part) cannot be recorded: \(error)")
        }
        return node.value
    }

    /// Where one value comes to stand. It is filled in by containers that the encoded type keeps.
    fileprivate final class Node {
        var single = FlightValue.record([])
        var fields: [(key: String, node: Node)]?
        var elements: [Node]?

        var value: FlightValue {
            if let fields { return .record(fields.map { ($0.key, $0.node.value) }) }
            return elements.map { .list($0.map(\.value)) } ?? single
        }
    }
}

private struct Walker: Encoder {
    let node: FlightEncoder.Node
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if node.fields == nil { node.fields = [] }
        return KeyedEncodingContainer(Keyed<Key>(node: node))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if node.elements == nil { node.elements = [] }
        return Row(node: node)
    }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }
}

private struct Single: SingleValueEncodingContainer {
    let node: FlightEncoder.Node
    var codingPath: [any CodingKey] { [] }

    private func put(_ number: Int64) {
        node.single = number < 0 ? .negative(number) : .number(UInt64(number))
    }
    func encodeNil() { node.single = .nothing }
    func encode(_ value: Bool) { node.single = .flag(value) }
    func encode(_ value: String) { node.single = .text(value) }
    func encode(_ value: Double) { node.single = .number(value.bitPattern) }
    func encode(_ value: Float) { node.single = .number(UInt64(value.bitPattern)) }
    func encode(_ value: Int) { put(Int64(value)) }
    func encode(_ value: Int8) { put(Int64(value)) }
    func encode(_ value: Int16) { put(Int64(value)) }
    func encode(_ value: Int32) { put(Int64(value)) }
    func encode(_ value: Int64) { put(value) }
    func encode(_ value: UInt) { node.single = .number(UInt64(value)) }
    func encode(_ value: UInt8) { node.single = .number(UInt64(value)) }
    func encode(_ value: UInt16) { node.single = .number(UInt64(value)) }
    func encode(_ value: UInt32) { node.single = .number(UInt64(value)) }
    func encode(_ value: UInt64) { node.single = .number(value) }
    func encode<T: Encodable>(_ value: T) { node.single = FlightEncoder.value(of: value) }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: FlightEncoder.Node
    var codingPath: [any CodingKey] { [] }

    private func named(_ key: Key) -> FlightEncoder.Node {
        let part = FlightEncoder.Node()
        node.fields?.append((key.stringValue, part))
        return part
    }
    private func single(_ key: Key) -> Single { Single(node: named(key)) }

    func encodeNil(forKey key: Key) { single(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) { single(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) { single(key).encode(value) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) { single(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { Walker(node: named(key)).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        Walker(node: named(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { Walker(node: node) }
    func superEncoder(forKey key: Key) -> any Encoder { Walker(node: named(key)) }
}

private struct Row: UnkeyedEncodingContainer {
    let node: FlightEncoder.Node
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.elements?.count ?? 0 }

    private func next() -> FlightEncoder.Node {
        let part = FlightEncoder.Node()
        node.elements?.append(part)
        return part
    }
    private func single() -> Single { Single(node: next()) }

    func encodeNil() { single().encodeNil() }
    func encode(_ value: Bool) { single().encode(value) }
    func encode(_ value: String) { single().encode(value) }
    func encode(_ value: Double) { single().encode(value) }
    func encode(_ value: Float) { single().encode(value) }
    func encode(_ value: Int) { single().encode(value) }
    func encode(_ value: Int8) { single().encode(value) }
    func encode(_ value: Int16) { single().encode(value) }
    func encode(_ value: Int32) { single().encode(value) }
    func encode(_ value: Int64) { single().encode(value) }
    func encode(_ value: UInt) { single().encode(value) }
    func encode(_ value: UInt8) { single().encode(value) }
    func encode(_ value: UInt16) { single().encode(value) }
    func encode(_ value: UInt32) { single().encode(value) }
    func encode(_ value: UInt64) { single().encode(value) }
    func encode<T: Encodable>(_ value: T) { single().encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { Walker(node: next()).container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        Walker(node: next()).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { Walker(node: next()) }
}
