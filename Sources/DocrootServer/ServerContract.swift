package import Content
package import Facts
package import Quantities

/// Everything that can happen to the server.
package enum ServerInput: Hashable, Sendable {
    /// Uploads that an earlier server has left, and the highest number ever given.
    case restored([RestoredUpload], lastUpload: UInt64)
    case connected(ServerConnectionID, from: ClientAddress)
    /// The first packet of a session of the paced transport has arrived.
    case heard(session: UInt64)
    case received(ServerConnectionID, [Segment])
    /// The connection is gone in both directions.
    case disconnected(ServerConnectionID)
    /// The piece of an object was sent: there is room for more.
    case drained(ServerConnectionID)
    /// The record of an upload is durable.
    case kept(UploadID)
    /// The store has made bytes from `stage` durable; this is their total.
    case staged(UploadID, ByteCount)
    /// Readers now see the object with this content.
    case published(UploadID, PublishedBody)
    case storeFailed(UploadID, StoreFailure)
    case answered(StoreTicket, StoreAnswer)
    /// The disk has spent the steps of `failPower`, and nothing that was to follow them happens.
    case powerFailed
    /// After a loss of power, behind `restored`: the object of an upload stands with this content,
    /// although no process has heard that it was published.
    case foundPublished(UploadID, ObjectPath, [ContentRange])
    /// After a loss of power, behind `restored`: an object is no longer as readers have seen it.
    case foundLost(ObjectPath)
    /// A deadline has come.
    case wake
    /// Switch a rule of the script on or off by its name; an unknown name does nothing.
    case fault(String, on: Bool)
    /// Accept no more requests, and finish those that are being served.
    case stopping
}

/// Everything that the server wants done, in this order.
package enum ServerOutput: Hashable, Sendable {
    /// Remember this upload even if the server ends → `kept`.
    case keep(UploadRecord)
    /// Append to the staging area of an upload → `staged`.
    case stage(UploadID, at: ByteCount, [Segment])
    /// Append bytes that count only after `count`, even if the server ends before → `staged`.
    case stageProvisionally(UploadID, at: ByteCount, [Segment])
    /// Count everything that was appended → `staged`.
    case count(UploadID)
    /// Take back the bytes after an offset.
    case truncate(UploadID, to: ByteCount)
    /// Make the staged content the object's content in one step → `published`.
    case publish(UploadID, object: ObjectPath)
    /// Delete an upload's staging area and record, as nobody will ask for it.
    case discard(UploadID)
    /// → `answered`
    case ask(StoreTicket, StoreRequest)
    case send(ServerConnectionID, [Segment])
    /// Send a piece of an opened object → `drained`, once there is room for more.
    case sendBody(ServerConnectionID, BodyID, at: ByteCount, length: ByteCount)
    case closeBody(BodyID)
    /// Let a client open this session of the paced transport → `heard`, `connected`.
    case admit(PacedSession)
    /// Receive nothing more from this client until `goOn`.
    case hold(ServerConnectionID)
    case goOn(ServerConnectionID)
    /// Close after everything is sent.
    case close(ServerConnectionID)
    /// Close at once, and drop everything that was not sent.
    case abort(ServerConnectionID)
    /// Crash: reset every connection, send no more answers, refuse new connections. After the pause
    /// tell a new server what is on the disk, with or without what was staged → `restored`.
    case restart(after: TimeSpan, keepsStaging: Bool)
    /// Let the power fail once the disk has carried out this many steps → `powerFailed`; `nil`: let
    /// it stay.
    case failPower(after: UInt64?)
    /// Crash without power: like `restart`, and changes that are not durable are left to chance.
    case losePower(for: TimeSpan)
    /// Nothing to carry out: a decision for the log.
    case note(ServerFact)

    /// The client's connection, if the output concerns one.
    package var connection: ServerConnectionID? {
        switch self {
        case .send(let id, _), .sendBody(let id, _, _, _), .hold(let id), .goOn(let id),
            .close(let id), .abort(let id):
            id
        case .keep, .stage, .stageProvisionally, .count, .truncate, .publish, .discard, .ask,
            .closeBody, .admit, .restart, .failPower, .losePower, .note:
            nil
        }
    }
}

package struct ServerConnectionID: Hashable, Sendable {
    package var number: UInt32
    package init(_ number: UInt32) { self.number = number }
}

package struct UploadID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// The body that readers see after a publication.
package struct PublishedBody: Hashable, Sendable {
    /// See `StoredEntry.version`.
    package var version: UInt64
    /// The origin of the bytes, where it is recorded.
    package var content: [ContentRange]
    /// The length of the body that was replaced.
    package var replaced: ByteCount

    package init(version: UInt64, content: [ContentRange], replaced: ByteCount = .zero) {
        self.version = version
        self.replaced = replaced
        self.content = content
    }
}
