import Protocols
import Quantities

/// PROPFIND and PROPPATCH (RFC 4918 §9.1, §9.2).
extension DocrootServer {
    mutating func tellProperties(
        _ request: PropertyRequest, of entry: StoredEntry, at path: ObjectPath,
        members: [StoredEntry], on id: ServerConnectionID
    ) {
        var status = Multistatus()
        for (path, entry) in [(path, entry)] + members.map({ (path.appending($0.name), $0) }) {
            // There may be many members, and many requested names.
            guard status.length <= ServerSettings.answerLimit else {
                let limit = ServerSettings.answerLimit
                return refuse(HTTPError(507, "the answer is larger than \(limit) bytes"), on: id)
            }
            status.add(path: davURL(of: path, entry, on: id), Self.properties(request, of: entry))
        }
        respond(Self.answer(status), on: id)
    }

    /// Changes all properties or none (RFC 4918 §9.2).
    mutating func changeProperties(
        _ changes: [PropertyChange], of entry: StoredEntry, at path: ObjectPath,
        on id: ServerConnectionID
    ) {
        let live = Set(Self.liveProperties(of: entry).map(\.name))
        let names = changes.map(\.name)
        let refused = names.filter { live.contains($0) }
        var status = Multistatus()
        let url = davURL(of: path, entry, on: id)
        guard refused.isEmpty else {
            let others = names.filter { !live.contains($0) }
            status.add(
                path: url,
                [(403, refused.map(Self.emptyElement)), (424, others.map(Self.emptyElement))])
            return respond(Self.answer(status), on: id)
        }
        var properties = entry.properties
        for change in changes {
            properties.removeAll { $0.name == change.name }
            if case .set(let name, let markup) = change {
                properties.append(StoredProperty(name: name, markup: markup))
            }
        }
        status.add(path: url, [(200, names.map(Self.emptyElement))])
        ask(.setProperties(path, properties), for: .answer(Self.answer(status)), on: id)
    }

    private static func answer(_ status: Multistatus) -> Answer {
        Answer(
            207, [("Content-Type", "application/xml; charset=\"utf-8\"")], body: status.bytes)
    }

    private func davURL(
        of path: ObjectPath, _ entry: StoredEntry, on id: ServerConnectionID
    ) -> String {
        let own = path.components.dropFirst(root(of: id).components.count)
        let url = FrontEnd.dav.resources + "/" + own.joined(separator: "/")
        return entry.isFolder && !own.isEmpty ? url + "/" : url
    }

    private static func properties(
        _ request: PropertyRequest, of entry: StoredEntry
    ) -> [(status: Int, properties: [String])] {
        let known = liveProperties(of: entry) + entry.properties
        switch request {
        case .all: return [(200, known.map(\.markup))]
        case .names: return [(200, known.map { emptyElement($0.name) })]
        case .some(let names):
            var found: [String] = []
            var missing: [String] = []
            for name in names {
                if let property = known.first(where: { $0.name == name }) {
                    found.append(property.markup)
                } else {
                    missing.append(emptyElement(name))
                }
            }
            return [(200, found), (404, missing)]
        }
    }

    /// Returns properties that the server knows itself and nobody can set.
    private static func liveProperties(of entry: StoredEntry) -> [StoredProperty] {
        var properties = [
            live("resourcetype", entry.isFolder ? "<D:collection/>" : ""),
            live("getlastmodified", HTTPDate.text(entry.modified)),
        ]
        guard !entry.isFolder else { return properties }
        properties += [
            live("getcontentlength", "\(entry.size.bytes)"),
            live("getetag", XMLElement.escaped(entry.tag.field)),
        ]
        return properties
    }

    private static func live(_ name: String, _ value: String) -> StoredProperty {
        StoredProperty(
            name: XMLName(name, in: XMLName.dav), markup: "<D:\(name)>\(value)</D:\(name)>")
    }

    private static func emptyElement(_ name: XMLName) -> String {
        XMLElement(name: name).markup
    }
}
