/// A request that cannot be granted: the peer's fault or ours, with the answer it deserves.
package struct HTTPError: Error, Hashable, Sendable {
    package var status: Int
    package var reason: String
    /// What the answer has to say in its head: the offset that was expected, when to come again.
    package var fields: HTTPFields

    package init(_ status: Int, _ reason: String, fields: [(String, String)] = []) {
        self.status = status
        self.reason = reason
        self.fields = HTTPFields(fields)
    }
}
