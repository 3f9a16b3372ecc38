/// The smallest piece of Swift source that a house rule looks at.
struct SourceToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case word
        case number
        /// A string literal as one token; its text is what stands between the quotes.
        case literal
        /// A name in backticks, as test functions have.
        case rawName
        /// One character of punctuation or of an operator.
        case symbol
    }

    var kind: Kind
    var text: String
    var line: Int

    func isWord(_ word: String) -> Bool { kind == .word && text == word }
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
}
