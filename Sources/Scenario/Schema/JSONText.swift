/// JSON with keys in a given order, as people read it too.
indirect enum JSONText: Sendable {
    case string(String)
    /// A number or literal, as it is written.
    case literal(String)
    case list([JSONText])
    case object([(key: String, value: JSONText)])

    static func strings(_ strings: [String]) -> JSONText { .list(strings.map { .string($0) }) }

    /// The text, indented by two blanks a level; lists without objects take one line.
    func text(indent: String = "") -> String {
        let deeper = indent + "  "
        switch self {
        case .string(let string): return Self.quoted(string)
        case .literal(let text): return text
        case .list(let items):
            let texts = items.map { $0.text(indent: deeper) }
            guard items.contains(where: \.isObject) else {
                return "[" + texts.joined(separator: ", ") + "]"
            }
            return "[\n" + texts.map { deeper + $0 }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let pairs):
            let lines = pairs.map { pair in
                "\(deeper)\(Self.quoted(pair.key)): \(pair.value.text(indent: deeper))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private var isObject: Bool {
        if case .object = self { true } else { false }
    }

    /// Quotes a string. The language's words have no control characters, so that nothing else needs
    /// escaping.
    private static func quoted(_ string: String) -> String {
        var quoted = "\""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
