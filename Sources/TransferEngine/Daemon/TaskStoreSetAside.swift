/// A daemon's store that was found damaged: it stands aside under this name, and what is whole of
/// it is in a new one.
package struct TaskStoreSetAside: Hashable, Sendable, Codable {
    package let name: String
    package let reason: String
    /// Those of the lost that could be named.
    package let lost: [TaskID]
    /// The apps that have heard of it.
    package var told: [UInt16]

    package init(name: String, reason: String, lost: [TaskID], told: [UInt16] = []) {
        self.name = name
        self.reason = reason
        self.lost = lost
        self.told = told
    }
}
