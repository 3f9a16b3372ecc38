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
    /// The writer has sent all of its request and waits for the answer.
    var owesWriter = false
    /// Who created an empty upload and is to hear of it once the object stands.
    var creator: ServerConnectionID?
    /// Connections that asked for the offset while bytes were on their way to the store.
    var waitingForOffset: [ServerConnectionID] = []

    enum Stage: Hashable, Sendable { case open, publishing, published }

    /// Every byte that was announced is durable.
    var isWhole: Bool { staged == length }

    var isSettled: Bool { staged == handedOver && stage != .publishing }

    /// So many bytes more are handed to the store; they begin at the offset that is returned.
    mutating func handOver(_ count: ByteCount) -> ByteCount {
        defer { handedOver += count }
        return handedOver
    }

    /// The store has so much; whether somebody waits to hear of it.
    mutating func confirm(_ total: ByteCount) -> Bool {
        precondition(total <= handedOver, "the store has more than it was given")
        staged = max(staged, total)
        return owesWriter || !waitingForOffset.isEmpty
    }
}
