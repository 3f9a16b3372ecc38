import Quantities

/// An upload on the server: what is staged, and who is writing.
///
///     open ──▶ publishing ──▶ published
struct Upload: Hashable, Sendable {
    let id: UploadID
    let object: ObjectPath
    let length: ByteCount
    var stage = Stage.open
    /// Durable in staging; the only offset that is ever acknowledged.
    var staged = ByteCount.zero
    /// Handed to the store, durable or not.
    var handedOver = ByteCount.zero
    /// The one connection that may append (S6).
    var writer: ServerConnectionID?
    /// Who created an empty upload and is to hear of it once the object stands.
    var creator: ServerConnectionID?
    /// Connections that asked for the offset while bytes were on their way to the store.
    var waitingForOffset: [ServerConnectionID] = []

    enum Stage: Hashable, Sendable { case open, publishing, published }

    var isSettled: Bool { staged == handedOver && stage != .publishing }
}
