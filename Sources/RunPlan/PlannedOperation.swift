/// An upload operation that an app begins.
package struct PlannedOperation: Hashable, Sendable {
    /// A file of the app, and where it goes below the docroot.
    package var source: String
    package var destination: String
    /// Whether a token that has expired is replaced (U6).
    package var refreshesToken: Bool

    package init(source: String, to destination: String, refreshesToken: Bool = false) {
        self.source = source
        self.destination = destination
        self.refreshesToken = refreshesToken
    }
}
