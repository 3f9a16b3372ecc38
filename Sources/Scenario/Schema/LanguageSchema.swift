/// The language as JSON Schema (2020-12), made from the tables that read it, for completion and
/// checks in editors.
package enum LanguageSchema: Sendable {
    case scenario
    /// An included part: a scenario in which nothing is required.
    case part
    case faults
    case suite

    package var text: String {
        let head: [(key: String, value: JSONText)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string(title)),
            (
                "description",
                .string(
                    "Made by “lab schema”. “lab check” also finds mistakes that a schema cannot "
                        + "express."
                )
            ),
        ]
        let left = self == .part ? ["title", "anyOf"] : ["title"]
        return JSONText.object(head + table.shape.rules.filter { !left.contains($0.key) }).text()
    }

    private var title: String {
        switch self {
        case .scenario: "a TransferLab scenario"
        case .part: "a part of TransferLab scenarios"
        case .faults: "faults of a TransferLab server"
        case .suite: "what a TransferLab suite must show"
        }
    }

    private var table: KeyTable<ScenarioDraft> {
        switch self {
        case .scenario, .part: ScenarioReader.keys
        case .faults: FaultKeys.file
        case .suite: SuiteFile.keys
        }
    }
}

extension Shape {
    fileprivate typealias Rules = [(key: String, value: JSONText)]

    /// The keywords of a schema for this shape.
    fileprivate var rules: Rules {
        switch self {
        case .text: [("type", .strings(["string", "number", "boolean"]))]
        case .matching(let form, let example): Self.words(form, examples: [example])
        case .quantity(let measure): Self.words(measure.pattern, examples: [measure.example])
        case .percentage: Self.words(Measure.percentagePattern, examples: ["2 %"])
        case .number: Self.orHole([("type", .string("integer")), ("minimum", .literal("0"))])
        case .decimal: Self.orHole([("type", .string("number")), ("minimum", .literal("0"))])
        case .onOff: Self.orHole([("enum", .strings(["on", "off"]))])
        case .words(let words):
            Self.orHole([("enum", .list(words.flatMap(Self.readings)))])
        case .sentences(_, let sentences): Self.sentences(sentences.map(\.pattern))
        case .list(let item): [("type", .string("array")), ("items", .object(item.rules))]
        case .mapping(let name, let value): Self.mapping(name, value)
        case .pair(let name, let value):
            Self.mapping(name, value) + [("maxProperties", .literal("1"))]
        case .table(let name, let keys): Self.table(name, keys)
        case .either(let shapes): [("anyOf", .list(shapes.map { .object($0.rules) }))]
        }
    }

    private static func words(_ form: String, examples: [String]) -> Rules {
        [
            ("type", .string("string")), ("pattern", .string("^(?:\(form))$|\(hole)")),
            ("examples", .strings(examples)),
        ]
    }

    /// `${name}`, the place of a matrix's value.
    private static let hole = "[$][{]"

    private static func orHole(_ rules: Rules) -> Rules {
        let filled: Rules = [("type", .string("string")), ("pattern", .string(hole))]
        return [("anyOf", .list([.object(rules), .object(filled)]))]
    }

    /// The readings that YAML has of a word: `1.2` is also a number.
    private static func readings(of word: String) -> [JSONText] {
        DecimalNumber(word) == nil ? [.string(word)] : [.string(word), .literal(word)]
    }

    private static func sentences(_ patterns: [String]) -> Rules {
        let form = patterns.map(SentenceForm.expression).joined(separator: "|")
        let rules = words(form, examples: patterns.map(SentenceForm.example))
        guard patterns.contains("N") else { return rules }
        return [("anyOf", .list([.object(Shape.number.rules), .object(rules)]))]
    }

    private static func mapping(_ name: Shape, _ value: Shape) -> Rules {
        [
            ("type", .string("object")), ("minProperties", .literal("1")),
            // Keys are text to JSON, whatever YAML takes them for.
            ("propertyNames", .object(name.isAnything ? [] : name.rules)),
            ("additionalProperties", .object(value.rules)),
        ]
    }

    private var isAnything: Bool {
        if case .text = self { true } else { false }
    }

    private static func table(_ name: String, _ keys: [Key]) -> Rules {
        let properties = keys.map { key in
            let about: Rules = [("description", .string(key.about))]
            return (key: key.name, value: JSONText.object(about + key.rules))
        }
        return [
            ("type", .string("object")), ("title", .string(name)),
            ("properties", .object(properties)),
            ("minProperties", .literal("1")), ("additionalProperties", .literal("false")),
        ] + required(keys)
    }

    /// Required keys, which an included part may also supply.
    private static func required(_ keys: [Key]) -> Rules {
        let names = JSONText.strings(keys.filter(\.isRequired).map(\.name))
        guard keys.contains(where: { $0.name == IncludedTree.key }) else {
            return [("required", names)]
        }
        return [
            (
                "anyOf",
                .list([
                    .object([("required", names)]),
                    .object([("required", .strings([IncludedTree.key]))]),
                ])
            )
        ]
    }
}

extension Shape.Key {
    /// The rules of its shape, with its own example if that is a word.
    fileprivate var rules: Shape.Rules {
        guard let example else { return shape.rules }
        switch shape {
        case .text, .matching, .quantity, .percentage, .sentences:
            return shape.rules.filter { $0.key != "examples" } + [("examples", .strings([example]))]
        case .number, .decimal: return shape.rules + [("examples", .list([.literal(example)]))]
        case .onOff, .words, .list, .mapping, .pair, .table, .either: return shape.rules
        }
    }
}
