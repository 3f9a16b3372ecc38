/// An XML name with its namespace.
package struct XMLName: Hashable, Sendable {
    package var namespace: String
    package var local: String

    package init(_ local: String, in namespace: String) {
        self.namespace = namespace
        self.local = local
    }

    package static let dav = "DAV:"
    static let xml = "http://www.w3.org/XML/1998/namespace"
}

/// An XML element with its content.
package struct XMLElement: Hashable, Sendable {
    package var name: XMLName
    package var attributes: [Attribute] = []
    package var children: [Child] = []

    package struct Attribute: Hashable, Sendable {
        package var name: XMLName
        package var value: String
    }

    package init(name: XMLName) { self.name = name }

    package enum Child: Hashable, Sendable {
        case element(XMLElement)
        case text(String)
    }

    package var elements: [XMLElement] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The child elements with this name in WebDAV's namespace.
    package func dav(_ local: String) -> [XMLElement] {
        elements.filter { $0.name == XMLName(local, in: XMLName.dav) }
    }

    /// Markup that means the same anywhere: each element declares its own namespaces.
    package var markup: String {
        var start = Self.tag(name, prefix: "n")
        var declarations = Self.declaration(name, prefix: "n")
        for (place, attribute) in attributes.enumerated() {
            let value = Self.escaped(attribute.value)
            switch attribute.name.namespace {
            case "": declarations += " \(attribute.name.local)=\"\(value)\""
            case XMLName.xml: declarations += " xml:\(attribute.name.local)=\"\(value)\""
            default:
                let prefix = "a\(place)"
                declarations += Self.declaration(attribute.name, prefix: prefix)
                declarations += " \(prefix):\(attribute.name.local)=\"\(value)\""
            }
        }
        let end = start
        start += declarations
        guard !children.isEmpty else { return "<\(start)/>" }
        let inside = children.map { child in
            switch child {
            case .element(let element): element.markup
            case .text(let text): Self.escaped(text)
            }
        }
        return "<\(start)>\(inside.joined())</\(end)>"
    }

    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // Unescaped, they would be read back as a blank or a line feed.
            case "\r", "\n", "\t": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func tag(_ name: XMLName, prefix: String) -> String {
        name.namespace.isEmpty ? name.local : "\(prefix):\(name.local)"
    }

    private static func declaration(_ name: XMLName, prefix: String) -> String {
        name.namespace.isEmpty
            ? " xmlns=\"\"" : " xmlns:\(prefix)=\"\(escaped(name.namespace))\""
    }
}
