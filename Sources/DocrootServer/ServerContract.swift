package import Content
package import Facts
package import Quantities

/// All that can happen to the server.
package enum ServerInput: Hashable, Sendable {
    /// Uploads that an earlier server has left, and the highest number that one ever had.
    case restored([RestoredUpload], lastUpload: UInt64)
    case connected(ServerConnectionID, from: ClientAddress)
    case received(ServerConnectionID, [Segment])
    /// Nothing more will come, and nothing more can be sent.
    case disconnected(ServerConnectionID)
    /// All of an object that was to be sent has left: there is room for more.
    case drained(ServerConnectionID)
    /// What was to be kept of an upload is durable.
    case kept(UploadID)
    /// The store has made durable what `stage` handed it; so much is there now.
    case staged(UploadID, ByteCount)
    /// Readers see the object from now on, with this content.
    case published(UploadID, PublishedBody)
    case storeFailed(UploadID, StoreFailure)
    case answered(StoreTicket, StoreAnswer)
    /// A deadline has come.
    case wake
    /// A rule of the script is switched on or off, by its name; one that nobody knows is nothing.
    case fault(String, on: Bool)
    /// No more requests are to be taken; those that are being served are finished.
    case stopping
}

/// All that the server wants done, in this order.
package enum ServerOutput: Hashable, Sendable {
    /// Remember this of an upload, even if the server should end → `kept`.
    case keep(UploadRecord)
    /// Append to the staging area of an upload → `staged`.
    case stage(UploadID, at: ByteCount, [Segment])
    /// Append what is not to count, even if the server should end, before `count` says so.
    case stageProvisionally(UploadID, at: ByteCount, [Segment])
    /// All that was appended counts → `staged`.
    case count(UploadID)
    /// Take back what came after an offset.
    case truncate(UploadID, to: ByteCount)
    /// Make the staged content the object's content, in one step → `published`.
    case publish(UploadID, object: ObjectPath)
    /// Nobody will ask for this upload any more: neither for its staging area nor for its record.
    case discard(UploadID)
    /// → `answered`
    case ask(StoreTicket, StoreRequest)
    case send(ServerConnectionID, [Segment])
    /// Send a piece of an opened object → `drained`, once there is room for more.
    case sendBody(ServerConnectionID, BodyID, at: ByteCount, length: ByteCount)
    case closeBody(BodyID)
    /// Take nothing more from this client until `goOn`: its own network makes it wait.
    case hold(ServerConnectionID)
    case goOn(ServerConnectionID)
    /// All is said.
    case close(ServerConnectionID)
    /// At once, and whatever was still to be sent is lost.
    case abort(ServerConnectionID)
    /// End as a process does that crashes: every connection is reset, nothing that was still to be
    /// answered is, nobody can connect. After a while tell a server that knows nothing what is on
    /// the disk, with what was staged or without it → `restored`.
    case restart(after: TimeSpan, keepsStaging: Bool)
    /// Nothing to carry out: a decision that the log should know.
    case note(ServerFact)

    /// The client that is meant, where one is.
    package var connection: ServerConnectionID? {
        switch self {
        case .send(let id, _), .sendBody(let id, _, _, _), .hold(let id), .goOn(let id),
            .close(let id), .abort(let id):
            id
        case .keep, .stage, .stageProvisionally, .count, .truncate, .publish, .discard, .ask,
            .closeBody, .restart, .note:
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

/// What readers of an object see after a publication.
package struct PublishedBody: Hashable, Sendable {
    /// See `StoredEntry.version`.
    package var version: UInt64
    /// Whose bytes they are, where somebody keeps account of it.
    package var content: [ContentRange]
    /// How long the body was that it replaced.
    package var replaced: ByteCount

    package init(version: UInt64, content: [ContentRange], replaced: ByteCount = .zero) {
        self.version = version
        self.replaced = replaced
        self.content = content
    }
}
