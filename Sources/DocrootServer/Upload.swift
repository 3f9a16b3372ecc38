import Content
import Protocols
import Quantities

/// An upload on the server: what is staged, and who is writing.
///
///     open ──▶ publishing ──▶ published
struct Upload: Hashable, Sendable {
    var record: UploadRecord
    /// Clients may break off and come back; otherwise it ends with its connection.
    let isResumable: Bool
    var stage = Stage.open
    /// Where the client has said that it ends. The length is not enough everywhere: a client of
    /// `/upload` or of Kii completes an upload by a word of its own.
    var endsAt: ByteCount?
    /// The store has its record, so that it can be promised to the client.
    var isKept: Bool
    /// Durable in staging; the only offset that is ever acknowledged.
    var staged = ByteCount.zero
    /// Handed to the store, durable or not.
    var handedOver = ByteCount.zero
    /// The one connection that may append (S6).
    var writer: ServerConnectionID?
    /// The writer has sent all of its request and waits for the answer.
    var owesWriter = false
    /// Who created it and is to hear of it once that is durable.
    var creator: ServerConnectionID?
    /// Connections that asked for the offset while bytes were on their way to the store.
    var waitingForOffset: [ServerConnectionID] = []
    /// What its writer has sent counts from here on only once its request is over; until then the
    /// store is not to count it either.
    var provisionalFrom: ByteCount?
    /// What the bytes of its writer's request have to add up to.
    var checksum: UploadChecksum?
    /// The most that it may have, where nobody has told its length.
    var room: ByteCount?
    /// What has to be true of the object still when it is replaced.
    var conditions: Preconditions?
    /// There is an older body, which ends with this one's publication.
    var replaces = false
    /// What readers see since it was published.
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

    /// Every byte is durable, and the client has said which one is the last.
    var isWhole: Bool { staged == endsAt }

    var isSettled: Bool { staged == handedOver && stage != .publishing && isKept }

    /// Where these bytes begin, which are handed to the store; whether they count; which limit they
    /// exceed, if one.
    mutating func handOver(
        _ segments: [Segment]
    ) -> (offset: ByteCount, isProvisional: Bool, exceeds: ByteCount?) {
        let offset = handedOver
        handedOver += segments.length
        checksum?.update(segments)
        let limit = room.flatMap { handedOver > $0 ? $0 : nil }
        return (offset, provisionalFrom != nil, limit)
    }

    /// Takes back what came after an offset.
    mutating func takeBack(to offset: ByteCount) {
        handedOver = min(handedOver, offset)
        staged = min(staged, offset)
        provisionalFrom = nil
        checksum = nil
    }

    /// The store has so much; whether somebody waits to hear of it.
    mutating func confirm(_ total: ByteCount) -> Bool {
        // What was taken back meanwhile may have been durable before.
        staged = max(staged, min(total, handedOver))
        return owesWriter || !waitingForOffset.isEmpty
    }
}
