package import Content
package import Quantities

/// All that can happen to the server.
package enum ServerInput: Hashable, Sendable {
    case connected(ServerConnectionID)
    case received(ServerConnectionID, [Segment])
    case disconnected(ServerConnectionID)
    /// The store has made durable what `stage` handed it; so much is there now.
    case staged(UploadID, ByteCount)
    /// Readers see the object from now on, with this content.
    case published(UploadID, [ContentRange])
    case storeFailed(UploadID, reason: String)
}

/// All that the server wants done, in this order.
package enum ServerOutput: Hashable, Sendable {
    /// Append to the staging file of an upload.
    case stage(UploadID, at: ByteCount, [Segment])
    /// Make the staged content the object's content, in one step.
    case publish(UploadID, object: String)
    case send(ServerConnectionID, [Segment])
    case close(ServerConnectionID)
    /// Nothing to carry out: a decision that the log should know.
    case note(ServerNote)
}

package struct ServerConnectionID: Hashable, Sendable {
    package var number: UInt32
    package init(_ number: UInt32) { self.number = number }
}

package struct UploadID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }

    /// The URL path under which clients know the upload.
    package var resource: String { "\(DocrootServer.collection)/\(number)" }
}

package enum ServerNote: Hashable, Sendable {
    case created(UploadID, object: String, length: ByteCount)
    case acknowledged(UploadID, offset: ByteCount)
    case appendBegan(UploadID, at: ByteCount, staged: ByteCount)
    case appendEnded(UploadID, staged: ByteCount, complete: Bool)
    case published(UploadID, object: String, version: UInt64, [ContentRange])
    case refused(method: String, target: String, status: Int, why: String)
}
