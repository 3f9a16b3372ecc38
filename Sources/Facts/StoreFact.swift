/// The durable store: what it was asked to keep, what it promised, and what it still had later.
///
/// A *content digest* stands for everything the store should hold; it is computed from the requests
/// on the way in and from the rows on the way out, so that a lost or torn write shows.
package enum StoreFact: Hashable, Sendable, Codable {
    /// The engine asks for a change; with it applied the store's content has this digest.
    case requested(ticket: UInt64, content: UInt64, paths: [String])
    /// The store promises that the change will survive.
    case committed(ticket: UInt64)
    /// The store was found damaged. The file stands under this name, and these of its sessions are
    /// in a new one, which is opened next; of the others the lost are those that could be named. A
    /// launch says it again as long as the app has not heard of it.
    case setAside(as: String, because: String, kept: [ItemName], lost: [ItemName])
    /// A launch read the store, and found this.
    case opened(launch: UInt32, content: UInt64, sessions: Int)
    /// The store could not be read or written.
    case failed(reason: String)

    package var sentence: String {
        switch self {
        case .requested(let ticket, _, _): "change \(ticket) is handed to the store"
        case .committed(let ticket): "change \(ticket) is durable"
        case .setAside(let name, let reason, let kept, let lost):
            "the store was damaged (\(reason)) and is set aside as \(name); \(kept.count) of its "
                + "sessions could be read"
                + (lost.isEmpty ? "" : ", not \(lost.map { "\($0)" }.joined(separator: ", "))")
        case .opened(_, _, let sessions): "the store is opened and holds \(sessions) sessions"
        case .failed(let reason): "the store failed: \(reason)"
        }
    }
}
