import Content
import Facts
import Protocols
import Quantities

/// An upload on the server: what is staged, and who is writing.
///
///     open ──▶ publishing ──▶ published
struct Upload: Hashable, Sendable {
    private(set) var record: UploadRecord
    /// Whether clients may break off and come back. If not, the upload ends with its connection.
    let isResumable: Bool
    private(set) var stage = Stage.open
    /// The end that the client has told. A client of `/upload` or Kii completes an upload
    /// explicitly, so that the length is not enough.
    var endsAt: ByteCount?
    /// Whether the store has the record, so that the upload can be promised to the client.
    var isKept: Bool
    /// Bytes that are durable in staging; the only offset that is ever acknowledged.
    private(set) var staged = ByteCount.zero
    /// Bytes handed to the store, durable or not.
    private(set) var handedOver = ByteCount.zero
    /// The one connection that may append (S6).
    private(set) var writer: ServerConnectionID?
    /// Whether the writer has sent its whole request and waits for the answer.
    private(set) var owesWriter = false
    /// The creator, to be answered when the upload is durable.
    var creator: ServerConnectionID?
    /// Connections that asked for the offset while bytes were on their way to the store.
    var waitingForOffset: [ServerConnectionID] = []
    /// The offset from which the writer's bytes count only once its request is complete; the store
    /// must not count them earlier either.
    private(set) var provisionalFrom: ByteCount?
    /// The checksum that the writer has announced.
    private(set) var checksum: UploadChecksum?
    /// The limit for an upload of unknown length.
    var room: ByteCount?
    /// Whether the store was asked for the publication.
    var isBeingPublished = false
    /// Conditions that the object must still meet when it is replaced.
    var conditions: Preconditions?
    /// Whether the publication replaces an older body.
    var replaces = false

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
        replaces = restored.record.publication?.replaces ?? false
        staged = restored.staged
        handedOver = restored.staged
    }

    var id: UploadID { record.id }

    var resource: String { record.resource }

    var name: ResourceName { record.name }

    /// Whether every byte is durable, and the client has told the end.
    var isWhole: Bool { staged == endsAt }

    /// The version that readers see since the publication.
    var version: UInt64? { record.publication?.version }

    /// A client that waits for the end of the upload, or for the offset.
    var waitingClient: ServerConnectionID? { writer ?? creator ?? waitingForOffset.first }

    var isSettled: Bool { staged == handedOver && stage != .publishing && isKept }

    // MARK: What its clients tell

    /// Notes the length, which never changes once it is told; returns the record if it is new.
    mutating func announce(_ total: ByteCount) -> UploadRecord? {
        guard record.length == nil else { return nil }
        record.length = total
        return record
    }

    // MARK: Writing

    /// Lets a connection write. An answer that an earlier writer was owed is dropped.
    mutating func beginWriting(by connection: ServerConnectionID) {
        writer = connection
        owesWriter = false
    }

    /// Counts the writer's bytes from this offset on only all together, and with this checksum.
    mutating func countTogether(from offset: ByteCount, with checksum: UploadChecksum? = nil) {
        provisionalFrom = offset
        self.checksum = checksum
    }

    /// Counts the writer's bytes, as its request is complete.
    mutating func endWriting() {
        provisionalFrom = nil
        checksum = nil
        owesWriter = true
        guard !isResumable, record.length == nil else { return }
        record.length = handedOver
        endsAt = handedOver
    }

    mutating func releaseWriter() {
        writer = nil
        owesWriter = false
    }

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

    // MARK: What the store tells

    /// Notes how much the store has; returns whether a client waits to hear of it.
    mutating func confirm(_ total: ByteCount) -> Bool {
        // Bytes that were taken back meanwhile may have been durable.
        staged = max(staged, min(total, handedOver))
        return owesWriter || !waitingForOffset.isEmpty
    }

    mutating func beginPublication() { stage = .publishing }

    /// Opens the upload again, as a client has gone before its conditions were checked.
    mutating func abandonPublication() { stage = .open }

    mutating func wasPublished(as version: UInt64) {
        stage = .published
        isBeingPublished = false
        record.publication = UploadRecord.Publication(version: version, replaces: replaces)
    }

    /// Keeps only durable bytes. Clients that waited for more are no longer owed an answer.
    mutating func fail() {
        handedOver = staged
        stage = .open
        isBeingPublished = false
        releaseWriter()
        creator = nil
        waitingForOffset = []
    }
}
