/// A place in a text: line and column, counted from 1 as editors do; columns are code points.
package struct Place: Hashable, Sendable {
    package var line: Int
    package var column: Int
    /// The number of the file; 0 is the scenario's own.
    var file = 0

    package static let beginning = Place(line: 1, column: 1)

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    func of(file: Int) -> Place {
        var place = self
        place.file = file
        return place
    }

    func moved(by columns: Int) -> Place {
        var place = self
        place.column += columns
        return place
    }
}

extension Place: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
