/// Suggests words for misspelt ones.
package enum Spelling {
    /// Returns the nearest candidate, if it is near enough to help.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        // Longer words are no mistyped keys, and would only make the table below large.
        guard word.unicodeScalars.count <= 60 else { return nil }
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let tolerance = max(1, candidate.count / 3)
            guard
                let distance = distance(
                    word.lowercased(), candidate.lowercased(), atMost: tolerance),
                distance < best?.distance ?? Int.max
            else { continue }
            best = (distance, candidate)
        }
        return best?.candidate
    }

    /// Returns the distance of two words if it is at most `limit`.
    static func distance(_ left: String, _ right: String, atMost limit: Int) -> Int? {
        // Each letter that is missing costs one, so that most words need no look at their letters.
        let surplus = left.unicodeScalars.count - right.unicodeScalars.count
        guard abs(surplus) <= limit else { return nil }
        let distance = distance(left, right)
        return distance <= limit ? distance : nil
    }

    /// Returns the number of letters to insert, delete, replace or swap (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars)
        let right = Array(right.unicodeScalars)
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replaced, min(last[column + 1], current[column]) + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
