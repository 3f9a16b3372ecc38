/// A damaged store of the daemon, with its new name. A new store has all that was intact.
public struct TaskStoreSetAside: Hashable, Sendable, Codable {
    public let name: String
    public let reason: String
    /// The lost tasks that could be named.
    public let lost: [TaskID]
    /// The apps that have heard of the damage.
    public var told: [UInt16]

    public init(name: String, reason: String, lost: [TaskID], told: [UInt16] = []) {
        self.name = name
        self.reason = reason
        self.lost = lost
        self.told = told
    }
}
