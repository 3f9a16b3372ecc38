/// A place in a text: line and column, counted from 1 as editors do; columns are code points.
package struct Place: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package static let beginning = Place(line: 1, column: 1)

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    func moved(by columns: Int) -> Place { Place(line: line, column: column + columns) }
}

extension Place: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Some words of a scenario, and where they stand: what every value is read from.
struct PlacedText: Hashable, Sendable {
    var text: String
    var place: Place
}
