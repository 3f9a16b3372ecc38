import Quantities

/// Encodes an event into canonical bytes: names and values in order of declaration, numbers as
/// eight bytes, text with its length. It uses `Encodable`, so that a new kind of fact needs no
/// extra code.
struct CanonicalEncoder: Sendable {
    private let buffer = Buffer()

    /// Encodes an event; the bytes are valid until the next call.
    mutating func encode(_ event: RunEvent) -> [UInt8] {
        buffer.bytes.removeAll(keepingCapacity: true)
        buffer.put("at")
        buffer.put(event.at.nanoseconds)
        if let app = event.app {
            buffer.put("app")
            buffer.put(UInt64(app))
        }
        buffer.put(event.fact.subject)
        if !encodeProgress(event.fact) { append(event.fact.content) }
        return buffer.bytes
    }

    /// Encodes the most frequent facts without the walk, into the same bytes. A test compares both.
    private func encodeProgress(_ fact: RunEvent.Fact) -> Bool {
        guard
            case .queue(.callback(let session, let callback)) = fact, session.facade == .queue,
            case .progress(let name, let done, let total, let whole) = callback
        else { return false }
        for key in ["callback", "session"] { buffer.put(key) }
        buffer.put(session.number)
        for key in ["call", "progress", "name"] { buffer.put(key) }
        buffer.put(name)
        buffer.put("done")
        buffer.put(done.bytes)
        buffer.put("total")
        buffer.put(total.bytes)
        if let whole {
            for key in ["ofSession", "done"] { buffer.put(key) }
            buffer.put(whole.done.bytes)
            if let total = whole.total {
                buffer.put("total")
                buffer.put(total.bytes)
            }
        }
        return true
    }

    /// Encodes an event by the walk alone.
    mutating func walk(_ event: RunEvent) -> [UInt8] {
        buffer.bytes.removeAll(keepingCapacity: true)
        append(event)
        return buffer.bytes
    }

    private func append(_ content: any Encodable) {
        do {
            try content.encode(to: Walker(buffer: buffer))
        } catch {
            preconditionFailure("an event cannot be encoded: \(error)")
        }
    }

    /// The buffer of a walk; used by one encoder on one thread at a time.
    fileprivate final class Buffer: @unchecked Sendable {
        var bytes: [UInt8] = []

        func put(_ number: UInt64) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func put(_ text: String) {
            put(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
    }
}

private struct Walker: Encoder {
    let buffer: CanonicalEncoder.Buffer
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed<Key>(buffer: buffer))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { Row(buffer: buffer) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(buffer: buffer) }
}

private struct Single: SingleValueEncodingContainer {
    let buffer: CanonicalEncoder.Buffer
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { buffer.bytes.append(0) }
    func encode(_ value: Bool) { buffer.bytes.append(value ? 2 : 1) }
    func encode(_ value: String) { buffer.put(value) }
    func encode(_ value: Double) { buffer.put(value.bitPattern) }
    func encode(_ value: Float) { buffer.put(UInt64(value.bitPattern)) }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) {
        buffer.put(UInt64(truncatingIfNeeded: value))
    }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: Walker(buffer: buffer)) }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let buffer: CanonicalEncoder.Buffer
    var codingPath: [any CodingKey] { [] }

    private func named(_ key: Key) -> Single {
        buffer.put(key.stringValue)
        return Single(buffer: buffer)
    }
    func encodeNil(forKey key: Key) { named(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { named(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { named(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) { named(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) { named(key).encode(value) }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) {
        named(key).encode(value)
    }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try named(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        buffer.put(key.stringValue)
        return KeyedEncodingContainer(Keyed<Nested>(buffer: buffer))
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        buffer.put(key.stringValue)
        return Row(buffer: buffer)
    }
    func superEncoder() -> any Encoder { Walker(buffer: buffer) }
    func superEncoder(forKey key: Key) -> any Encoder {
        buffer.put(key.stringValue)
        return Walker(buffer: buffer)
    }
}

private struct Row: UnkeyedEncodingContainer {
    let buffer: CanonicalEncoder.Buffer
    var codingPath: [any CodingKey] { [] }
    var count = 0

    /// Encodes each element's index, so that [[a], [b]] and [[a, b]] differ.
    private mutating func next() -> Single {
        buffer.bytes.append(UInt8(ascii: ","))
        count += 1
        return Single(buffer: buffer)
    }
    mutating func encodeNil() { next().encodeNil() }
    mutating func encode(_ value: Bool) { next().encode(value) }
    mutating func encode(_ value: String) { next().encode(value) }
    mutating func encode(_ value: Double) { next().encode(value) }
    mutating func encode(_ value: Float) { next().encode(value) }
    mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) { next().encode(value) }
    mutating func encode<T: Encodable>(_ value: T) throws { try next().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        _ = next()
        return KeyedEncodingContainer(Keyed<Nested>(buffer: buffer))
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        _ = next()
        return Row(buffer: buffer)
    }
    mutating func superEncoder() -> any Encoder {
        _ = next()
        return Walker(buffer: buffer)
    }
}
