import Facts
import Protocols

/// What a request is to go on with when the store has answered.
enum Errand: Hashable, Sendable {
    /// To know what an account of this name has.
    case measure(String)
    case tellHead(ObjectPath)
    /// With a digest of what it holds.
    case tellDigest
    case read(ObjectPath, BodyID)
    case put(ObjectPath)
    /// The body of a PUT is there: are its conditions still true?
    case publish(UploadID)
    case makeFolder(ObjectPath)
    case remove(ObjectPath)
    case findProperties(ObjectPath, PropertyRequest)
    case changeProperties(ObjectPath, [PropertyChange])
    /// To know what is to be copied or moved, how much a folder brings along that is to be copied,
    /// then what stands in its way.
    case findSource(Transfer)
    case measureSource(Transfer)
    case findDestination(Transfer)
    /// Nothing but an answer is left, and a word for the log.
    case answer(Answer, ServerFact? = nil)
}

/// A COPY or a MOVE.
struct Transfer: Hashable, Sendable {
    var from: ObjectPath
    var to: ObjectPath
    var isMove: Bool
    var isDeep: Bool
    var mayReplace: Bool
}

/// A body that is read as a whole before anything is done.
enum Document: Hashable, Sendable {
    case propertyRequest(ObjectPath, isDeep: Bool)
    case propertyChanges(ObjectPath)
}
