/// A piece of a YAML document with its place, from which keys are read.
struct YAMLNode: Sendable {
    var place: Place
    var content: Content

    enum Content: Sendable {
        case scalar(String, Style)
        case sequence([YAMLNode])
        case mapping([Pair])
        /// A node that has been reported, and must not be reported again.
        case unreadable
    }

    enum Style: Sendable { case plain, quoted, block }

    struct Pair: Sendable {
        var key: YAMLNode
        var value: YAMLNode
    }

    /// The kind, for a message that wanted another one.
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
