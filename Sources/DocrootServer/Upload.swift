import Content
import Protocols
import Quantities

/// An upload on the server: what is staged, and who is writing.
///
///     open ──▶ publishing ──▶ published
struct Upload: Hashable, Sendable {
    var record: UploadRecord
    /// Whether clients may break off and come back. If not, the upload ends with its connection.
    let isResumable: Bool
    var stage = Stage.open
    /// The end that the client has told. A client of `/upload` or Kii completes an upload
    /// explicitly, so that the length is not enough.
    var endsAt: ByteCount?
    /// Whether the store has the record, so that the upload can be promised to the client.
    var isKept: Bool
    /// Bytes that are durable in staging; the only offset that is ever acknowledged.
    private(set) var staged = ByteCount.zero
    /// Bytes handed to the store, durable or not.
    var handedOver = ByteCount.zero
    /// The one connection that may append (S6).
    var writer: ServerConnectionID?
    /// Whether the writer has sent its whole request and waits for the answer.
    var owesWriter = false
    /// The creator, to be answered when the upload is durable.
    var creator: ServerConnectionID?
    /// Connections that asked for the offset while bytes were on their way to the store.
    var waitingForOffset: [ServerConnectionID] = []
    /// The offset from which the writer's bytes count only once its request is complete; the store
    /// must not count them earlier either.
    var provisionalFrom: ByteCount?
    /// The checksum that the writer has announced.
    var checksum: UploadChecksum?
    /// The limit for an upload of unknown length.
    var room: ByteCount?
    /// Conditions that the object must still meet when it is replaced.
    var conditions: Preconditions?
    /// Whether the publication replaces an older body.
    var replaces = false
    /// The version that readers see since the publication.
    var version: UInt64?

    enum Stage: Hashable, Sendable { case open, publishing, published }

    init(_ record: UploadRecord, isResumable: Bool) {
        self.record = record
        self.isResumable = isResumable
        isKept = !isResumable && record.key == nil
        endsAt = isResumable && record.frontEnd.isEndedByAWord ? nil : record.length
    }

    init(_ restored: RestoredUpload) {
        self.init(restored.record, isResumable: restored.record.key == nil)
        isKept = true
        stage = restored.isPublished ? .published : .open
        if restored.isPublished { endsAt = restored.staged }
        staged = restored.staged
        handedOver = restored.staged
    }

    var id: UploadID { record.id }

    var resource: String { record.resource }

    /// Whether every byte is durable, and the client has told the end.
    var isWhole: Bool { staged == endsAt }

    var isSettled: Bool { staged == handedOver && stage != .publishing && isKept }

    /// Notes bytes that are handed to the store; returns their offset, whether they are
    /// provisional, and the limit that they exceed.
    mutating func handOver(
        _ segments: [Segment]
    ) -> (offset: ByteCount, isProvisional: Bool, exceeds: ByteCount?) {
        let offset = handedOver
        handedOver += segments.length
        checksum?.update(segments)
        let limit = room.flatMap { handedOver > $0 ? $0 : nil }
        return (offset, provisionalFrom != nil, limit)
    }

    /// Takes back the bytes after an offset.
    mutating func takeBack(to offset: ByteCount) {
        handedOver = min(handedOver, offset)
        staged = min(staged, offset)
        provisionalFrom = nil
        checksum = nil
    }

    /// Notes how much the store has; returns whether a client waits to hear of it.
    mutating func confirm(_ total: ByteCount) -> Bool {
        // Bytes that were taken back meanwhile may have been durable.
        staged = max(staged, min(total, handedOver))
        return owesWriter || !waitingForOffset.isEmpty
    }
}
