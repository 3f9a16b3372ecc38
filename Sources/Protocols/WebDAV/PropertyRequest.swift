/// The properties that a PROPFIND wants (RFC 4918 §9.1).
package enum PropertyRequest: Hashable, Sendable {
    case all
    /// Names only.
    case names
    case some([XMLName])

    /// Parses a body; an empty one asks for everything.
    package init(parsing body: [UInt8]) throws(HTTPError) {
        guard !body.isEmpty else {
            self = .all
            return
        }
        let root = try XMLReader.read(body)
        guard root.name == XMLName("propfind", in: XMLName.dav) else {
            throw HTTPError(400, "the body of a PROPFIND is <propfind>, not <\(root.name.local)>")
        }
        if let wanted = root.dav("prop").first {
            self = .some(wanted.elements.map(\.name))
        } else if !root.dav("propname").isEmpty {
            self = .names
        } else if !root.dav("allprop").isEmpty {
            self = .all
        } else {
            throw HTTPError(400, "<propfind> says nothing of what is to be found")
        }
    }
}

/// One step of a PROPPATCH (RFC 4918 §9.2).
package enum PropertyChange: Hashable, Sendable {
    /// With the markup of the whole element.
    case set(XMLName, markup: String)
    case remove(XMLName)

    package var name: XMLName {
        switch self {
        case .set(let name, _), .remove(let name): name
        }
    }

    /// Parses the changes in the order of the document, which matters.
    package static func parse(_ body: [UInt8]) throws(HTTPError) -> [PropertyChange] {
        let root = try XMLReader.read(body)
        guard root.name == XMLName("propertyupdate", in: XMLName.dav) else {
            throw HTTPError(
                400, "the body of a PROPPATCH is <propertyupdate>, not <\(root.name.local)>")
        }
        var changes: [PropertyChange] = []
        for step in root.elements where step.name.namespace == XMLName.dav {
            for property in step.dav("prop").flatMap(\.elements) {
                switch step.name.local {
                case "set": changes.append(.set(property.name, markup: property.markup))
                case "remove": changes.append(.remove(property.name))
                default: break
                }
            }
        }
        guard !changes.isEmpty else {
            throw HTTPError(400, "<propertyupdate> changes no property")
        }
        return changes
    }
}
