/// What became of a store that was damaged: it stands under another name beside the new one, into
/// which all of its sessions went that were still as they had been written.
public struct StoreSetAside: Hashable, Sendable, Codable {
    /// The name of the damaged file, without the directory, which may move.
    public var name: String
    public var reason: String
    /// Those that it still named and that are lost, by their numbers; what could not be read at
    /// all is not among them.
    public var lost: [SessionID]
    /// The highest number of a transfer that was still to be read.
    public var lastTransfer: TransferID

    public init(name: String, reason: String, lost: [SessionID], lastTransfer: TransferID) {
        self.name = name
        self.reason = reason
        self.lost = lost
        self.lastTransfer = lastTransfer
    }
}
