/// A request that cannot be granted, with the answer that it deserves.
package struct HTTPError: Error, Hashable, Sendable {
    package var status: Int
    package var reason: String
    /// Fields of the answer, such as the expected offset or the time of a retry.
    package var fields: HTTPFields

    package init(_ status: Int, _ reason: String, fields: [(String, String)] = []) {
        self.status = status
        self.reason = reason
        self.fields = HTTPFields(fields)
    }
}
