/// Encodes the parts of a machine's inputs and outputs as values.
struct FlightEncoder {
    static func value<Part: Encodable>(of part: Part) -> FlightValue {
        let node = Node()
        node.fill(with: part)
        return node.value
    }

    /// The place of one value, which the containers of the encoded type fill in.
    fileprivate final class Node {
        var single = FlightValue.record([])
        var fields: [(key: String, node: Node)]?
        var elements: [Node]?

        var value: FlightValue {
            if let fields {
                return .record(fields.map { .init(key: $0.key, value: $0.node.value) })
            }
            return elements.map { .list($0.map(\.value)) } ?? single
        }

        func fill<Part: Encodable>(with part: Part) {
            // The type decides: an empty list of anything could pass for a list of bytes.
            if Part.self == [UInt8].self, let bytes = part as? [UInt8] {
                single = .bytes(bytes)
                return
            }
            do {
                try part.encode(to: Walker(node: self))
            } catch {
                preconditionFailure("\(part) cannot be recorded: \(error)")
            }
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

    func encodeNil() { node.single = .nothing }
    func encode(_ value: Bool) { node.single = .flag(value) }
    func encode(_ value: String) { node.single = .text(value) }
    func encode(_ value: Double) { node.single = .number(value.bitPattern) }
    func encode(_ value: Float) { node.single = .number(UInt64(value.bitPattern)) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) {
        node.single = value < 0 ? .negative(Int64(value)) : .number(UInt64(value))
    }
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

    func encodeNil(forKey key: Key) { named(key).single = .nothing }
    func encode<T: Encodable>(_ value: T, forKey key: Key) { named(key).fill(with: value) }

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

    func encodeNil() { next().single = .nothing }
    func encode<T: Encodable>(_ value: T) { next().fill(with: value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { Walker(node: next()).container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        Walker(node: next()).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { Walker(node: next()) }
}
