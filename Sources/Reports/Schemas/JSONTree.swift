/// A piece of JSON, written as a literal.
indirect enum JSONTree: Hashable, Sendable, Encodable {
    case text(String)
    case whole(Int)
    case number(Double)
    case truth(Bool)
    case list([JSONTree])
    case object([String: JSONTree])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .whole(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .truth(let isTrue): try container.encode(isTrue)
        case .list(let items): try container.encode(items)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .whole(number) }
    init(booleanLiteral isTrue: Bool) { self = .truth(isTrue) }
    init(arrayLiteral items: JSONTree...) { self = .list(items) }
    init(dictionaryLiteral members: (String, JSONTree)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
