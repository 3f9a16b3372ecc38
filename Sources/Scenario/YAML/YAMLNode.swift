/// A piece of a YAML document with its place: what the keys of the language are read from.
struct YAMLNode: Sendable {
    var place: Place
    var content: Content

    enum Content: Sendable {
        case scalar(String, Style)
        case sequence([YAMLNode])
        case mapping([Pair])
        /// Something that has been reported already and must not be reported twice.
        case unreadable
    }

    enum Style: Sendable { case plain, quoted, block }

    struct Pair: Sendable {
        var key: YAMLNode
        var value: YAMLNode
    }

    /// What this is, for the sentence that says it should have been something else.
    var kind: String {
        switch content {
        case .scalar("", .plain): "nothing"
        case .scalar: "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping of keys to values"
        case .unreadable: "something unreadable"
        }
    }
}
