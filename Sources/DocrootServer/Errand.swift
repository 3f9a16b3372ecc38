import Facts
import Protocols
import Quantities

/// How a request continues when the store has answered.
enum Errand: Hashable, Sendable {
    /// Learns the used space of the account with this name, after so many changes of the docroot.
    case measure(String, after: UInt64)
    case tellHead(ObjectPath)
    /// Tells the head with a digest.
    case tellDigest
    case read(ObjectPath, BodyID)
    case put(ObjectPath)
    /// Checks the conditions of a PUT again, as its body is there, or those of an exclusive upload.
    /// `after` counts the object's publications until then.
    case publish(UploadID, after: UInt64)
    case makeFolder(ObjectPath)
    case remove(ObjectPath)
    case findProperties(ObjectPath, PropertyRequest)
    case changeProperties(ObjectPath, [PropertyChange])
    /// Steps of a copy or move: the source, the size of a folder to copy, then the destination.
    case findSource(Transfer)
    case measureSource(Transfer)
    case findDestination(Transfer)
    /// Answers, and notes a fact.
    case answer(Answer, ServerFact? = nil)
    /// Answers that a copy was made.
    case copy(Transfer, Answer)

    /// The copy that is under way, and takes room.
    var copy: Transfer? {
        switch self {
        case .findDestination(let transfer), .copy(let transfer, _): transfer
        default: nil
        }
    }
}

/// A COPY or MOVE.
struct Transfer: Hashable, Sendable {
    let from: ObjectPath
    let to: ObjectPath
    let isMove: Bool
    let isDeep: Bool
    let mayReplace: Bool
    /// The room that it takes.
    var adds = ByteCount.zero
}

/// A body that is read completely before anything is done.
enum Document: Hashable, Sendable {
    case propertyRequest(ObjectPath, isDeep: Bool)
    case propertyChanges(ObjectPath)
    case tokenRequest
}
