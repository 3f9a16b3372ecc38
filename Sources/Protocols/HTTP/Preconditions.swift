/// The conditions of a request on the state of its target (RFC 9110 §13).
package struct Preconditions: Hashable, Sendable {
    private var match: EntityTags?
    private var noneMatch: EntityTags?
    private var modifiedSince: UInt64?
    private var unmodifiedSince: UInt64?
    private var range: String?

    package enum Outcome: Hashable, Sendable {
        case goOn
        /// 304 for a reader, 412 for all others.
        case notModified
        case failed
    }

    package init(of head: HTTPRequestHead) throws(HTTPError) {
        match = try Self.tags("If-Match", of: head)
        noneMatch = try Self.tags("If-None-Match", of: head)
        modifiedSince = head.fields["If-Modified-Since"].flatMap(HTTPDate.seconds)
        unmodifiedSince = head.fields["If-Unmodified-Since"].flatMap(HTTPDate.seconds)
        range = head.fields["If-Range"]
    }

    /// Judges in the order of RFC 9110 §13.2.2; `nil` stands for a target that does not exist.
    package func judge(_ tag: EntityTag?, modified: UInt64, isRead: Bool) -> Outcome {
        switch match {
        case .any: if tag == nil { return .failed }
        case .tags(let tags):
            guard let tag, tags.contains(where: { $0.matchesStrongly(tag) }) else {
                return .failed
            }
        case nil:
            if let unmodifiedSince, tag != nil, modified > unmodifiedSince { return .failed }
        }
        switch noneMatch {
        case .any: if tag != nil { return isRead ? .notModified : .failed }
        case .tags(let tags):
            if let tag, tags.contains(where: { $0.text == tag.text }) {
                return isRead ? .notModified : .failed
            }
        case nil:
            if isRead, let modifiedSince, tag != nil, modified <= modifiedSince {
                return .notModified
            }
        }
        return .goOn
    }

    /// Whether the answer may be a part (RFC 9110 §13.1.5): the reader's bytes and the rest must be
    /// of one version.
    package func allowsRange(_ tag: EntityTag, modified: UInt64) -> Bool {
        guard let range else { return true }
        if let known = EntityTag(parsing: range) { return known.matchesStrongly(tag) }
        return HTTPDate.seconds(range) == modified
    }

    private static func tags(
        _ name: String, of head: HTTPRequestHead
    ) throws(HTTPError) -> EntityTags? {
        let values = head.fields.values(of: name)
        guard !values.isEmpty else { return nil }
        guard let tags = EntityTags(parsing: values.joined(separator: ",")) else {
            throw HTTPError(400, "“\(values.joined(separator: ", "))” is no list of entity tags")
        }
        return tags
    }
}
