import Protocols

/// Texts of scenarios without the passwords and tokens that they hold, for logs and reports.
///
/// Each secret has a stand-in of the same length, the same wherever it occurs: the text plays as
/// before, and with the same digest.
struct HiddenSecrets {
    private var standIns: [String: String] = [:]

    /// Returns the text with all secrets replaced.
    mutating func hidden(_ text: String) -> String {
        // Most scenarios have none.
        guard ["password", "token", "sign in", "Authorization"].contains(where: text.contains)
        else { return text }
        var hidden = text
        for expression in [Self.keys, Self.signingIn] {
            hidden = replacing(expression, in: hidden) { $0 }
        }
        return replacing(Self.fields, in: hidden) { Self.secret(inField: $0) }
    }

    private typealias Place = Regex<(Substring, Substring, Substring)>

    // `engine` in `password: engine`, in `sign in with engine`, and in `Basic YWRhOmVuZ2luZQ==`.
    nonisolated(unsafe) private static let keys: Place =
        #/
            ((?:^|[\s{,])["']?(?:password|token)["']?:\s*)
            ("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,{}"'\#][^,{}\#\n]*)
        /#
    nonisolated(unsafe) private static let signingIn: Place =
        /(sign in (?:to account \S+ )?with )(\S[^,"'}#\n]*)/
    nonisolated(unsafe) private static let fields: Place =
        /(Authorization['"]?:\s*)("[^"\n]*"|'[^'\n]*'|(?:Basic|Bearer) [A-Za-z0-9._~+\/\-]+=*)/

    private mutating func replacing(
        _ place: Place, in text: String, _ secret: (String) -> String?
    ) -> String {
        var result = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: place) {
            result += rest[..<match.2.startIndex]
            var value = match.2
            let quote = value.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
            if quote != nil { value = value.dropFirst().dropLast() }
            let blanks = value.reversed().prefix { $0 == " " }.count
            let word = Self.unescaped(value.dropLast(blanks), in: quote)
            let mark = quote.map(String.init) ?? ""
            result += mark + (standIn(for: word, secret) ?? String(value.dropLast(blanks)))
            result += String(repeating: " ", count: blanks) + mark
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    /// Returns what a scalar of YAML means.
    private static func unescaped(_ value: Substring, in quote: Character?) -> String {
        switch quote {
        case "'": String(value.replacing("''", with: "'"))
        case "\"": String(value.replacing(/\\(.)/) { $0.1 })
        default: String(value)
        }
    }

    private mutating func standIn(for text: String, _ secret: (String) -> String?) -> String? {
        guard let word = secret(text) else { return nil }
        let hidden = standIn(for: word)
        if word == text { return hidden }
        // The value of a field, whose secret may be in Base64.
        if let user = Self.user(inField: text) {
            return "Basic " + Base64.encode(Array("\(user):\(hidden)".utf8))
        }
        return "Bearer \(hidden)"
    }

    private mutating func standIn(for secret: String) -> String {
        if let known = standIns[secret] { return known }
        let number = String(standIns.count + 1, radix: 36)
        let length = max(secret.utf8.count, number.count)
        let hidden = String(repeating: "x", count: length - number.count) + number
        standIns[secret] = hidden
        return hidden
    }

    private static func secret(inField value: String) -> String? {
        if let pair = pair(inField: value) { return pair.password }
        return value.hasPrefix("Bearer ") ? String(value.dropFirst("Bearer ".count)) : nil
    }

    private static func user(inField value: String) -> String? { pair(inField: value)?.user }

    private static func pair(inField value: String) -> (user: String, password: String)? {
        guard value.hasPrefix("Basic "),
            let bytes = Base64.decode(String(value.dropFirst("Basic ".count))),
            let text = String(validating: bytes, as: UTF8.self),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
