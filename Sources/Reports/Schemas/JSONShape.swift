/// What the JSON of a type looks like.
indirect enum JSONShape: Hashable, Sendable {
    case text, number, truth
    case whole(isSigned: Bool)
    /// A whole number with its unit.
    case quantity(unit: String)
    /// One of these texts.
    case words([String])
    /// A text that begins with this word.
    case beginning(word: String)
    case list(JSONShape)
    /// An object with any names as keys.
    case map(JSONShape)
    case object([Property])
    case either([JSONShape])
    case orNull(JSONShape)
    /// An object that is described once, under this name.
    case named(String)

    struct Property: Hashable, Sendable {
        var name: String
        var isRequired: Bool
        var shape: JSONShape
    }

    /// The keywords of JSON Schema for this shape.
    var schema: JSONTree {
        switch self {
        case .text: ["type": "string"]
        case .number: ["type": "number"]
        case .truth: ["type": "boolean"]
        case .whole(isSigned: true): ["type": "integer"]
        case .whole(isSigned: false): ["type": "integer", "minimum": 0]
        case .quantity(let unit): ["type": "integer", "description": .text(unit)]
        case .words(let words): ["enum": .list(words.map(JSONTree.text))]
        case .beginning(let word): ["type": "string", "pattern": .text("^\(word)( |$)")]
        case .list(let item): ["type": "array", "items": item.schema]
        case .map(let value): ["type": "object", "additionalProperties": value.schema]
        case .object(let properties): Self.schema(of: properties)
        case .either(let shapes): ["anyOf": .list(shapes.map(\.schema))]
        case .orNull(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
        case .named(let name): ["$ref": .text("#/$defs/\(name)")]
        }
    }

    /// Returns the shape of an object with another shape of one property.
    func replacing(_ name: String, with shape: JSONShape) -> JSONShape {
        guard case .object(var properties) = self,
            let place = properties.firstIndex(where: { $0.name == name })
        else { preconditionFailure("\(self) has no “\(name)”") }
        properties[place].shape = shape
        return .object(properties)
    }

    private static func schema(of properties: [Property]) -> JSONTree {
        let shapes = properties.map { ($0.name, $0.shape.schema) }
        let required = properties.filter(\.isRequired).map { JSONTree.text($0.name) }
        return [
            "type": "object", "additionalProperties": false,
            "properties": .object(Dictionary(uniqueKeysWithValues: shapes)),
            "required": .list(required),
        ]
    }
}
