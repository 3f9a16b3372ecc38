/// The words `first`, `second`, `third`, `4th`, `5th` and so on.
enum Ordinal {
    private static let names = ["first", "second", "third"]

    static let expression = "(?:\(names.joined(separator: "|"))|[0-9]*(?:1st|2nd|3rd|[0-9]th))"

    /// Whether a word is an ordinal, perhaps a wrong one.
    static func isMeant(by word: String) -> Bool {
        names.contains(word) || word.first?.isNumber == true
    }

    static func number(of word: String) -> Int? {
        if let place = names.firstIndex(of: word) { return place + 1 }
        return Int(word.dropLast(2)).flatMap { words(for: $0) == word ? $0 : nil }
    }

    private static func words(for number: Int) -> String {
        switch (number % 10, number / 10 % 10) {
        case (1, 0), (1, 2...): "\(number)st"
        case (2, 0), (2, 2...): "\(number)nd"
        case (3, 0), (3, 2...): "\(number)rd"
        default: "\(number)th"
        }
    }
}

extension PlacedText {
    /// Reads `second` or `4th`.
    func ordinal(upTo most: Int) -> Int? {
        guard let number = Ordinal.number(of: text), (1...most).contains(number) else {
            return refuse(
                "“\(text)” does not say which time",
                expected: "first, second, third, or up to \(most)th")
        }
        return number
    }
}
