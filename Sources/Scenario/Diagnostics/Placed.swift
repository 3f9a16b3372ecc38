/// What is wrong with a value or an action, and what would be right.
struct Objection {
    let complaint: String
    let expected: String

    init(_ complaint: String, _ expected: String) {
        self.complaint = complaint
        self.expected = expected
    }
}

/// A part of a file at which mistakes are reported.
protocol Placed {
    var place: Place { get }
    /// The mistakes of the files that are being read.
    var mistakes: Mistakes { get }
}

extension Placed {
    func refuse(_ message: String, expected: String? = nil, suggestion: String? = nil) {
        mistakes.add(message, at: place, expected: expected, suggestion: suggestion)
    }

    /// Reports a mistake, and returns `nil` in place of the value.
    func refuse<Value>(
        _ message: String, expected: String? = nil, suggestion: String? = nil
    ) -> Value? {
        mistakes.add(message, at: place, expected: expected, suggestion: suggestion)
        return nil
    }

    func refuse(_ objection: Objection) {
        refuse(objection.complaint, expected: objection.expected)
    }

    func refuse<Value>(_ objection: Objection) -> Value? {
        refuse(objection.complaint, expected: objection.expected)
    }

    /// Returns the value unless there is a complaint about it.
    func checked<Value>(
        _ value: Value?, expected: String, _ complaint: (Value) -> String?
    ) -> Value? {
        guard let value, let complaint = complaint(value) else { return value }
        return refuse(complaint, expected: expected)
    }

    /// The place as `file:line:column`.
    var location: String { mistakes.words(for: place) }
}

/// Words of a scenario with their place: what every value is read from.
struct PlacedText: Placed {
    var text: String
    var place: Place
    let mistakes: Mistakes

    /// Whether the text has only small letters, digits and hyphens, as names need that also occur
    /// in command lines, paths or the log.
    var isPlainName: Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
    }

    /// Returns other words at the same place.
    func saying(_ text: String) -> PlacedText {
        PlacedText(text: text, place: place, mistakes: mistakes)
    }

    /// The words of a sentence. Each has its own place if the file shows the sentence literally.
    var words: [PlacedText] {
        let isLiteral = mistakes.sources[place.file].says(text, at: place)
        var words: [PlacedText] = []
        var word = String.UnicodeScalarView()
        var column = 0
        func finishWord() {
            guard !word.isEmpty else { return }
            let place = place.moved(by: isLiteral ? column - word.count : 0)
            words.append(PlacedText(text: String(word), place: place, mistakes: mistakes))
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if scalar == " " || scalar == "\n" { finishWord() } else { word.append(scalar) }
            column += 1
        }
        finishWord()
        return words
    }

    /// Reports that the words are none of these names, and suggests the nearest in spelling.
    func refuse<Value>(_ message: String, expected: String, among names: [String]) -> Value? {
        let nearest = Spelling.nearest(to: text, among: names)
        return refuse(message, expected: expected, suggestion: nearest.map { "“\($0)”" })
    }
}
