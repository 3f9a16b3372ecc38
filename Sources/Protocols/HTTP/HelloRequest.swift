/// A client's first request of a session: it introduces itself, and learns whether the server
/// accepts it.
package struct HelloRequest: Hashable, Sendable {
    package let target: String

    package init(_ target: String) { self.target = target }

    package func head(host: String) -> HTTPRequestHead {
        HTTPRequestHead("OPTIONS", target, [("Host", host)])
    }
}
