/// A message that is not HTTP/1.1 as we speak it: the peer's fault, with the answer it deserves.
package struct HTTPError: Error, Hashable, Sendable {
    package var status: Int
    package var reason: String

    package init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
