/// A named account that an app makes for sessions of its queue; other sessions use one without a
/// name.
package struct PlannedAccount: Hashable, Sendable {
    package var name: String
    /// The folder below the docroot.
    package var folder: String

    package init(name: String, folder: String) {
        self.name = name
        self.folder = folder
    }

    /// Returns where a remote path leads, below the docroot.
    package func path(_ remote: String) -> String { folder + "/" + remote }
}
