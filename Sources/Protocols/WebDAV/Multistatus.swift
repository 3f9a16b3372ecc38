/// The body of a 207 (RFC 4918 §13): the status of each resource, property by property.
package struct Multistatus: Hashable, Sendable {
    private var responses = ""

    package init() {}

    /// Adds the markup of properties, grouped by status.
    package mutating func add(path: String, _ groups: [(status: Int, properties: [String])]) {
        responses += "<D:response><D:href>\(PercentCoding.encode(path))</D:href>"
        for group in groups where !group.properties.isEmpty {
            let status = "HTTP/1.1 \(group.status) \(HTTPResponseHead.reason(for: group.status))"
            responses += "<D:propstat><D:prop>\(group.properties.joined())</D:prop>"
            responses += "<D:status>\(status)</D:status></D:propstat>"
        }
        responses += "</D:response>\n"
    }

    /// The length so far.
    package var length: Int { responses.utf8.count }

    package var bytes: [UInt8] {
        let start = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\">\n"
        return Array((start + responses + "</D:multistatus>\n").utf8)
    }
}
