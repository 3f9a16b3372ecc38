/// A kind of JSON file that the program writes for other programs, with its schema.
package struct FileSchema: Sendable {
    /// The word for `./lab schema --of`.
    package let name: String
    /// What the file holds.
    package let about: String
    private let format: String?
    private let root: any (Decodable & SendableMetatype).Type

    /// Describes files of the type `Root`. Their `format`, if they have one, begins with a word for
    /// kind and version.
    package init<Root: Decodable & SendableMetatype>(
        _ name: String, _ about: String, format: String?, of root: Root.Type
    ) {
        self.name = name
        self.about = about
        self.format = format.map { String($0.prefix { $0 != " " }) }
        self.root = root
    }

    /// The JSON Schema (2020-12). It allows no keys that the file does not have.
    package var text: String {
        let book = ShapeBook()
        var whole = book.whole(of: root)
        if let format { whole = whole.replacing("format", with: .beginning(word: format)) }
        guard case .object(var members) = whole.schema else {
            preconditionFailure("\(name) is no object")
        }
        members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        members["title"] = .text(about)
        members["$defs"] = .object(book.objects.mapValues(\.schema))
        return RunJSON.text(JSONTree.object(members), pretty: true)
    }
}
