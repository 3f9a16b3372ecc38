/// An account that an app makes for sessions of its queue; the others go by one without a name.
package struct PlannedAccount: Hashable, Sendable {
    package var name: String
    /// Below the docroot.
    package var folder: String

    package init(name: String, folder: String) {
        self.name = name
        self.folder = folder
    }

    /// Where a remote path of its sessions leads, below the docroot.
    package func path(_ remote: String) -> String { folder + "/" + remote }
}
