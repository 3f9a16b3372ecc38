import Scenario
import Testing

/// The statements of the behaviour, which scenarios and tests cite by number.
@Suite struct StatementTests {
    @Test func `there are ninety-eight, by their letters`() {
        let numbers = Statement.all.map(\.number)
        let expected = [
            ("A", 26), ("P", 7), ("U", 9), ("B", 23), ("K", 13), ("S", 17), ("L", 5),
        ].flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
        #expect(numbers == expected)
    }

    @Test func `each is said once, in words that fit beside its number`() {
        let texts = Statement.all.map(\.text)
        #expect(Set(texts).count == texts.count)
        for text in texts {
            let begins = text.first?.isUppercase == true
            #expect(begins || text.hasPrefix("run(at:)") || text.hasPrefix("iOS"), "\(text)")
            #expect((20...71).contains(text.count), "\(text)")
            #expect(text.last?.isPunctuation == false || text.hasSuffix(")"), "\(text)")
        }
    }
}
