/// What a type, or a part of it, has asked for in one reading.
final class ShapeNote {
    /// Which of several cases or attempts this reading takes, counted from 0.
    let choice: Int
    /// Whether another reading would find something new.
    var offersMore = false
    /// The shape, unless it is an object.
    var value: JSONShape?
    var isObject = false
    var isNullable = false
    private var properties: [(name: String, isRequired: Bool, note: ShapeNote)] = []

    init(choice: Int = 0) { self.choice = choice }

    var isAnswered: Bool { isObject || value != nil }

    var shape: JSONShape {
        let plain =
            value
            ?? .object(
                properties.map { property in
                    .init(
                        name: property.name, isRequired: property.isRequired,
                        shape: property.note.shape)
                })
        return isNullable ? .orNull(plain) : plain
    }

    /// Returns the note about a property. The first question decides whether it is required.
    func property(_ name: String, isRequired: Bool = true) -> ShapeNote {
        if let known = properties.first(where: { $0.name == name }) { return known.note }
        let note = ShapeNote()
        properties.append((name, isRequired, note))
        return note
    }
}

/// A decoder that answers with made-up values, and notes the questions.
struct ShapeProbe: Decoder {
    let book: ShapeBook
    let note: ShapeNote
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        note.isObject = true
        return KeyedDecodingContainer(ProbedObject<Key>(book: book, note: note))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        ProbedList(book: book, note: note)
    }
    func singleValueContainer() -> any SingleValueDecodingContainer {
        ProbedValue(book: book, note: note)
    }
}

/// A question that nobody here asks, such as for a class's superclass.
private func unanswered() -> Never {
    preconditionFailure("a type that is decoded in this way has no schema")
}

private struct ProbedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let book: ShapeBook
    let note: ShapeNote
    var codingPath: [any CodingKey] { [] }

    /// The chosen case of an enum, or some name if any name is a key.
    var allKeys: [Key] {
        if let type = Key.self as? any CaseIterable.Type {
            let keys = Self.cases(of: type)
            note.offersMore = note.choice + 1 < keys.count
            // A case without values asks for nothing else.
            _ = note.property(keys[note.choice].stringValue)
            return [keys[note.choice]]
        }
        guard let key = Key(stringValue: "any name") else {
            preconditionFailure("\(Key.self) has to be CaseIterable for a schema")
        }
        note.value = .map(.object([]))
        return [key]
    }

    private static func cases<Type: CaseIterable>(of type: Type.Type) -> [Key] {
        type.allCases.compactMap { $0 as? Key }
    }

    func contains(_ key: Key) -> Bool {
        _ = note.property(key.stringValue, isRequired: false)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (shape, example) = book.page(of: type)
        if case .map = note.value {
            note.value = .map(shape)
        } else {
            note.property(key.stringValue).value = shape
        }
        return example
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(
            ProbedObject<Nested>(book: book, note: note.property(key.stringValue)))
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { unanswered() }
    func superDecoder() -> any Decoder { unanswered() }
    func superDecoder(forKey key: Key) -> any Decoder { unanswered() }
}

/// A list with one element.
private struct ProbedList: UnkeyedDecodingContainer {
    let book: ShapeBook
    let note: ShapeNote
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }
    private(set) var currentIndex = 0

    init(book: ShapeBook, note: ShapeNote) {
        self.book = book
        self.note = note
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        let (shape, example) = book.page(of: type)
        note.value = .list(shape)
        return example
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> { unanswered() }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { unanswered() }
    func superDecoder() -> any Decoder { unanswered() }
}

/// A value that a type may try to read as one thing after another: each reading refuses one attempt
/// more.
private final class ProbedValue: SingleValueDecodingContainer {
    private let book: ShapeBook
    private let note: ShapeNote
    private var attempts = 0
    let codingPath: [any CodingKey] = []

    init(book: ShapeBook, note: ShapeNote) {
        self.book = book
        self.note = note
    }

    func decodeNil() -> Bool {
        note.isNullable = true
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        attempts += 1
        guard attempts > note.choice else {
            throw DecodingError.dataCorruptedError(
                in: self, debugDescription: "this attempt has been made")
        }
        let (shape, example) = book.page(of: type)
        note.value = shape
        note.offersMore = true
        return example
    }
}
