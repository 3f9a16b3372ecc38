/// The tag of one state of a resource (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
    package let text: String
    package let isWeak: Bool

    package init(_ text: String, isWeak: Bool = false) {
        self.text = text
        self.isWeak = isWeak
    }

    /// The tag as it is written in a field.
    package var field: String { (isWeak ? "W/" : "") + "\"\(text)\"" }

    /// Whether the bytes are certainly the same, as resuming and overwriting need (RFC 9110
    /// §8.8.3.2).
    package func matchesStrongly(_ other: Self) -> Bool {
        !isWeak && !other.isWeak && text == other.text
    }

    /// Parses a field with exactly one tag; `nil` for anything else.
    package init?(parsing field: String) {
        guard case .tags(let tags)? = EntityTags(parsing: field), tags.count == 1 else {
            return nil
        }
        self = tags[0]
    }
}

/// The value of `If-Match` and `If-None-Match`: some tags, or any at all.
package enum EntityTags: Hashable, Sendable {
    case any
    case tags([EntityTag])

    /// `nil` if the field is malformed.
    package init?(parsing field: String) {
        if field == "*" {
            self = .any
            return
        }
        var rest = Array(field.utf8)[...]
        var tags: [EntityTag] = []
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            if rest.isEmpty { break }
            let isWeak = rest.starts(with: Array("W/".utf8))
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.popFirst() == UInt8(ascii: "\""),
                let end = rest.firstIndex(of: UInt8(ascii: "\""))
            else { return nil }
            tags.append(EntityTag(String(decoding: rest[..<end], as: UTF8.self), isWeak: isWeak))
            rest = rest[(end + 1)...]
            guard rest.isEmpty || [UInt8(ascii: ","), 0x20, 0x09].contains(rest.first) else {
                return nil
            }
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }
}
