package import Quantities

/// What the answer to a visit must be.
package struct VisitDemand: Hashable, Sendable {
    package let visit: String
    /// The statuses in order, the last of which is final; empty: the connection ends without an
    /// answer; `nil`: any.
    package let statuses: [Int]?
    /// The fields of the answer, and those that it must not have.
    package let fields: [Field]
    /// A text that the body contains.
    package let text: String?
    /// The length of the body.
    package let size: ByteCount?

    package struct Field: Hashable, Sendable {
        package let name: String
        /// `nil`: the field must be missing.
        package let value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    package init(
        visit: String, statuses: [Int]?, fields: [Field], text: String?, size: ByteCount?
    ) {
        self.visit = visit
        self.statuses = statuses
        self.fields = fields
        self.text = text
        self.size = size
    }

    package var statement: String {
        guard statuses != [] else { return "visit “\(visit)” gets no answer" }
        var words = "visit “\(visit)” is answered"
        if let statuses { words += " " + statuses.map { "\($0)" }.joined(separator: ", then ") }
        var parts = fields.map { field in
            field.value.map { "\(field.name): \($0)" } ?? "no \(field.name)"
        }
        if let text { parts.append("a body that contains “\(text)”") }
        if let size { parts.append("a body of \(size)") }
        return parts.isEmpty ? words : "\(words) with \(parts.joined(separator: ", "))"
    }
}
