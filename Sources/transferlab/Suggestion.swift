/// What somebody probably meant to type.
enum Suggestion {
    /// `, did you mean “run”?`, or nothing where no known word is near.
    static func phrase(for word: String, among known: [String]) -> String {
        let near = known.map { (word: $0, distance: distance(word, $0)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, word.count / 3) else { return "" }
        return ", did you mean “\(near.word)”?"
    }

    /// Letters to insert, drop or change on the way from one word to the other.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let change = diagonal + (right[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
