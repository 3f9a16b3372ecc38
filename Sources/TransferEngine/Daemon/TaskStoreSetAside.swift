/// A daemon's store that was found damaged: it stands aside under this name, and what is whole of
/// it is in a new one.
public struct TaskStoreSetAside: Hashable, Sendable, Codable {
    public let name: String
    public let reason: String
    /// Those of the lost that could be named.
    public let lost: [TaskID]
    /// The apps that have heard of it.
    public var told: [UInt16]

    public init(name: String, reason: String, lost: [TaskID], told: [UInt16] = []) {
        self.name = name
        self.reason = reason
        self.lost = lost
        self.told = told
    }
}
