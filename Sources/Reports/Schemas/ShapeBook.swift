import Quantities

/// Finds the shape of a type's JSON by decoding it from nothing: the type asks for its keys and
/// values, and gets values that are made up.
///
/// No property is thus written twice. A type that reads one thing after another until it finds what
/// it knows is read several times, and so is an enum, once for each case. Enums have to be
/// `CaseIterable`, and those with values need `CodingKeys` that are.
final class ShapeBook {
    /// The objects so far, by their types' names.
    private(set) var objects: [String: JSONShape] = [:]
    /// What was found so far, by the types' whole names.
    private var known: [String: (shape: JSONShape, example: Any)] = [:]

    /// Returns the shape of a type; an object is taken out of the book.
    func whole<Value: Decodable>(of type: Value.Type) -> JSONShape {
        let shape = page(of: type).shape
        guard case .named(let name) = shape else { return shape }
        return objects.removeValue(forKey: name) ?? shape
    }

    /// Returns the shape of a type and a made-up value of it.
    func page<Value: Decodable>(of type: Value.Type) -> (shape: JSONShape, example: Value) {
        let wholeName = String(reflecting: type)
        if let page = known[wholeName], let example = page.example as? Value {
            return (page.shape, example)
        }
        var page = Self.leaf(type) ?? explored(type)
        if let unit = Self.unit(of: type) { page.shape = .quantity(unit: unit) }
        if case .object = page.shape {
            let name = Self.name(of: type)
            precondition(objects[name] == nil, "two types are called \(name)")
            objects[name] = page.shape
            page.shape = .named(name)
        }
        known[wholeName] = page
        guard let example = page.example as? Value else {
            preconditionFailure("\(page.example) is no \(type)")
        }
        return (page.shape, example)
    }

    /// Reads a type until it has asked for everything that it knows.
    private func explored<Value: Decodable>(
        _ type: Value.Type
    ) -> (shape: JSONShape, example: Any) {
        var shapes: [JSONShape] = []
        var example: Value?
        var reason: (any Error)?
        var choice = 0
        var offersMore = true
        while offersMore {
            let note = ShapeNote(choice: choice)
            do {
                let value = try Value(from: ShapeProbe(book: self, note: note))
                example = example ?? value
            } catch {
                reason = error
            }
            if note.isAnswered, !shapes.contains(note.shape) { shapes.append(note.shape) }
            offersMore = note.offersMore
            choice += 1
        }
        guard let example else {
            preconditionFailure("\(type) cannot be made up: \(reason.map { "\($0)" } ?? "")")
        }
        return (shapes.count == 1 ? shapes[0] : .either(shapes), example)
    }

    private static func unit(of type: any Decodable.Type) -> String? {
        switch type {
        case is Instant.Type: "nanoseconds since the run began"
        case is TimeSpan.Type: "nanoseconds"
        case is ByteCount.Type: "bytes"
        case is Bitrate.Type: "bits per second"
        case is Probability.Type: "a chance, in parts of 2⁵³"
        default: nil
        }
    }

    /// Returns the page of a type that asks for nothing else; `nil` if it does.
    private static func leaf(_ type: any Decodable.Type) -> (shape: JSONShape, example: Any)? {
        if type is String.Type { return (.text, "") }
        if type is Bool.Type { return (.truth, false) }
        if type is Double.Type { return (.number, 1.0) }
        if let type = type as? any FixedWidthInteger.Type {
            // A rate of zero, for example, would be refused.
            return (.whole(isSigned: type.isSigned), type.init(1))
        }
        guard let type = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return words(of: type)
    }

    private static func words<Word: CaseIterable & RawRepresentable>(
        of type: Word.Type
    ) -> (shape: JSONShape, example: Any)? {
        let words = type.allCases.compactMap { $0.rawValue as? String }
        guard words.count == type.allCases.count, let first = type.allCases.first else {
            return nil
        }
        return (.words(words), first)
    }

    /// The name of a type without its module, such as `CrashTable.Row`.
    private static func name(of type: any Decodable.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst()
            .filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }
}
