/// A piece of a YAML document with its place, from which keys are read.
struct YAMLNode: Placed {
    let place: Place
    let content: Content
    let mistakes: Mistakes

    enum Content {
        case scalar(String, Style)
        case sequence([YAMLNode])
        case mapping([Pair])
        /// A node that has been reported, and must not be reported again.
        case unreadable
    }

    enum Style { case plain, quoted, block }

    struct Pair {
        var key: YAMLNode
        var value: YAMLNode
    }

    /// Returns a node with other content at the same place.
    func holding(_ content: Content) -> YAMLNode {
        YAMLNode(place: place, content: content, mistakes: mistakes)
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
