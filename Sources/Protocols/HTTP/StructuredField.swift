package import Quantities

/// The two kinds of structured fields (RFC 9651 §3.3) that uploads use. Parameters are ignored, and
/// a malformed field counts as absent, as the drafts demand.
package enum StructuredField {
    package static func boolean(_ text: String?) -> Bool? {
        switch text.map(item) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    package static func count(_ text: String?) -> ByteCount? {
        guard let item = text.map(item), item.utf8.count <= 15 else { return nil }
        return ByteCount(decimalDigits: item)
    }

    package static func text(_ value: Bool) -> String { value ? "?1" : "?0" }

    private static func item(_ text: String) -> String {
        String(text.prefix { $0 != ";" && $0 != " " })
    }
}
