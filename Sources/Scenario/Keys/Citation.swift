/// A citation of a scenario: a statement of the behaviour, or a bug of a public tracker.
enum Citation {
    /// Returns what is wrong with a citation, as the end of a sentence; `nil` if nothing is.
    static func problem(with text: String) -> String? {
        isFieldBug(text) ? nil : problem(withStatement: text)
    }

    private static func problem(withStatement text: String) -> String? {
        let letter = String(text.prefix(1))
        guard let known = Statement.subjects.first(where: { $0.letter == letter }),
            let number = Int(text.dropFirst()), text == "\(letter)\(number)"
        else { return "is neither a statement nor a field bug" }
        guard (1...known.texts.count).contains(number) else {
            return "does not exist: the statements of that letter are "
                + "\(letter)1 to \(letter)\(known.texts.count)"
        }
        return nil
    }

    /// `TUSKit#162`, `nextcloud/ios#4304`, `WordPress-iOS PR#21254`.
    private static func isFieldBug(_ text: String) -> Bool {
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt32(parts[1]), "\(number)" == parts[1] else {
            return false
        }
        let words = parts[0].split(separator: " ", omittingEmptySubsequences: false)
        return words.count <= 2
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy {
                        $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0))
                    }
            }
    }
}
