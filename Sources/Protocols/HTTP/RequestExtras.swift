/// What an app says in a request of its own: another method, and more header fields.
package struct RequestExtras: Hashable, Sendable {
    package let method: String?
    package let fields: HTTPFields

    package init(method: String? = nil, fields: HTTPFields = HTTPFields()) {
        self.method = method
        self.fields = fields
    }

    var pairs: [(String, String)] { fields.all.map { ($0.name, $0.value) } }

    /// The target of a request for an address: one with a slash at its beginning is a target.
    static func target(of address: String, below frontEnd: String) -> String {
        address.utf8.first == UInt8(ascii: "/")
            ? address : frontEnd + PercentCoding.encode(address)
    }
}
