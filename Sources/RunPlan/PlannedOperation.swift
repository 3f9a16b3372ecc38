/// An upload operation that an app begins.
package struct PlannedOperation: Hashable, Sendable {
    /// A file of the app.
    package var source: String
    /// The object's path below the docroot.
    package var destination: String
    /// Whether an expired token is replaced (U6).
    package var refreshesToken: Bool

    package init(source: String, to destination: String, refreshesToken: Bool = false) {
        self.source = source
        self.destination = destination
        self.refreshesToken = refreshesToken
    }
}
