/// Cuts Swift source into tokens, as far as house rules need it: comments vanish, a literal is one
/// token, and code inside an interpolation is code. Works on bytes, since the whole house is read
/// in every debug test run.
struct SourceLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [SourceToken] = []

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func tokens(of text: String) -> [SourceToken] {
        var lexer = SourceLexer(text)
        lexer.readCode(insideInterpolation: false)
        return lexer.tokens
    }

    private mutating func readCode(insideInterpolation: Bool) {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                skipLineComment()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
                skipBlockComment()
            case UInt8(ascii: "\""):
                readLiteral(hashes: 0)
            case UInt8(ascii: "#") where hashesBeforeQuote > 0:
                readLiteral(hashes: hashesBeforeQuote)
            case UInt8(ascii: "`"):
                readRawName()
            case let byte where Self.opensWord(byte):
                readRun(.word)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                readRun(.number)
            default:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                position += 1
                if insideInterpolation && depth < 0 { return }
                add(.symbol, String(UnicodeScalar(byte)))
            }
        }
    }

    private mutating func skipLineComment() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        while position < bytes.count {
            let pair = (bytes[position], peek(1))
            if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
                depth += 1
                position += 2
            } else if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
                depth -= 1
                position += 2
                if depth == 0 { return }
            } else {
                if pair.0 == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
        }
    }

    private mutating func readLiteral(hashes: Int) {
        let (place, firstLine) = (tokens.count, line)
        position += hashes
        let quotes = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") ? 3 : 1
        position += quotes
        var content: [UInt8] = []
        while position < bytes.count, !closesLiteral(quotes: quotes, hashes: hashes) {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\"), hasHashes(hashes, at: position + 1) {
                position += 1 + hashes
                let escaped = peek(0)
                position += 1
                if escaped == UInt8(ascii: "(") {
                    readCode(insideInterpolation: true)
                } else if escaped == UInt8(ascii: "\n") {
                    line += 1
                }
                continue
            }
            if byte == UInt8(ascii: "\n") {
                // Not a literal after all, such as a quote in a regular expression: go on as code.
                if quotes == 1 { break }
                line += 1
            }
            content.append(byte)
            position += 1
        }
        if position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            position += quotes + hashes
        }
        let text = String(decoding: content, as: UTF8.self)
        tokens.insert(SourceToken(kind: .literal, text: text, line: firstLine), at: place)
    }

    private mutating func readRawName() {
        let start = position + 1
        position = start
        while position < bytes.count, bytes[position] != UInt8(ascii: "`") { position += 1 }
        add(.rawName, String(decoding: bytes[start..<position], as: UTF8.self))
        position += 1
    }

    private mutating func readRun(_ kind: SourceToken.Kind) {
        let start = position
        while position < bytes.count, Self.continuesWord(bytes[position]) { position += 1 }
        add(kind, String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func add(_ kind: SourceToken.Kind, _ text: String) {
        tokens.append(SourceToken(kind: kind, text: text, line: line))
    }

    private func peek(_ distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private var hashesBeforeQuote: Int {
        var count = 0
        while peek(count) == UInt8(ascii: "#") { count += 1 }
        return peek(count) == UInt8(ascii: "\"") ? count : 0
    }

    private func hasHashes(_ count: Int, at start: Int) -> Bool {
        start + count <= bytes.count
            && bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private func closesLiteral(quotes: Int, hashes: Int) -> Bool {
        let end = position + quotes
        return end <= bytes.count
            && bytes[position..<end].allSatisfy { $0 == UInt8(ascii: "\"") }
            && hasHashes(hashes, at: end)
    }

    private static func opensWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }

    private static func continuesWord(_ byte: UInt8) -> Bool {
        opensWord(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
