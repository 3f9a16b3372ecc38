import TransferEngine

/// The statements that make a table, and each of its columns.
extension Table {
    /// Brings the table from the version before to this one. Columns that have come later are
    /// behind the others, in old stores and in new ones.
    func step(to version: Int) -> String {
        if version == since { return creation }
        return columns.filter { $0.since == version }
            .map { "ALTER TABLE \(name) ADD COLUMN \($0.definition);\n" }.joined()
    }

    /// Replaces the row with the same key, if there is one.
    var replacement: String { "INSERT OR REPLACE INTO \(name) VALUES (\(parameters))" }

    /// Updates the row with the same key, if there is one. A row that is as before costs nothing:
    /// SQLite sees that its bytes are the same.
    var update: String {
        """
        INSERT INTO \(name) VALUES (\(parameters))
        ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(assignments)
        """
    }

    private var creation: String {
        var lines = columns.filter { $0.since == nil }.map { column in
            key == [column.name] ? "\(column.name) INTEGER PRIMARY KEY" : column.definition
        }
        if key.count > 1 { lines.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
        return """
            CREATE TABLE \(name) (
                \(lines.joined(separator: ",\n    "))
            ) STRICT\(key.count > 1 ? ", WITHOUT ROWID" : "");

            """
    }
}

extension Column {
    fileprivate var definition: String {
        let type = "\(name) \(isText ? "TEXT" : "INTEGER")\(isOptional ? "" : " NOT NULL")"
        guard since != nil else { return type }
        switch old {
        case .none: return type
        case .number(let number): return type + " DEFAULT \(number)"
        case .text(let text): return type + " DEFAULT '\(text)'"
        }
    }
}
