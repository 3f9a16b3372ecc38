/// Whose events an app's are, and how many sessions and transfers of other apps are counted before
/// its own: names are unique in a run.
package struct AppNumbers: Hashable, Sendable {
    /// `nil` is the first app.
    package var name: UInt16?
    package var sessionsBefore: UInt64
    package var transfersBefore: UInt64

    package init(
        name: UInt16? = nil, sessionsBefore: UInt64 = 0, transfersBefore: UInt64 = 0
    ) {
        self.name = name
        self.sessionsBefore = sessionsBefore
        self.transfersBefore = transfersBefore
    }
}
