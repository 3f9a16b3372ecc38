import Quantities

/// The dialects of draft-ietf-httpbis-resumable-upload that phones speak: 3 (draft 01, iOS 17), 5
/// (draft 03, iOS 18.0) and 6 (drafts 04 and 05, iOS 18.1).
public enum ResumableUploadVersion: UInt8, Hashable, Sendable, Codable {
    case three = 3
    case five = 5
    case six = 6

    package static let field = "Upload-Draft-Interop-Version"

    /// Parses the dialect that a client says it speaks; `nil` for another one.
    package init?(of head: HTTPRequestHead) {
        guard let count = StructuredField.count(head.fields[Self.field]),
            let number = UInt8(exactly: count.bytes)
        else { return nil }
        self.init(rawValue: number)
    }

    /// The field that says whether the upload is complete. Draft 01 said *incomplete* instead.
    package func completeness(_ isComplete: Bool) -> (String, String) {
        self == .three
            ? ("Upload-Incomplete", StructuredField.text(!isComplete))
            : ("Upload-Complete", StructuredField.text(isComplete))
    }

    package func completeness(of fields: HTTPFields) -> Bool? {
        self == .three
            ? StructuredField.boolean(fields["Upload-Incomplete"]).map { !$0 }
            : StructuredField.boolean(fields["Upload-Complete"])
    }
}
