/// The durable store: its requests, its promises, and its content when it was opened again.
///
/// A *content digest* covers all content of the store. It is computed from the requests before they
/// are written and from the rows when they are read, so that it shows a lost or torn write.
package enum StoreFact: Hashable, Sendable, Codable {
    /// The engine requests a change; `content` is the digest after the change.
    case requested(ticket: UInt64, content: UInt64, paths: [String])
    case committed(ticket: UInt64)
    /// The store was damaged and is set aside under this name. A new store has the kept sessions;
    /// `lost` are the other sessions whose names could be read. Each launch repeats this fact until
    /// the app knows.
    case setAside(as: String, because: String, kept: [ItemName], lost: [ItemName])
    /// A launch opened the store with this content.
    case opened(launch: UInt32, content: UInt64, sessions: Int)
    case failed(reason: String)

    private enum CodingKeys: CodingKey, CaseIterable {
        case requested, committed, setAside, opened, failed
    }

    package var sentence: String {
        switch self {
        case .requested(let ticket, _, _): "change \(ticket) is handed to the store"
        case .committed(let ticket): "change \(ticket) is durable"
        case .setAside(let name, let reason, let kept, let lost):
            "the store was damaged (\(reason)) and is set aside as \(name); \(kept.count) of its "
                + "sessions could be read" + lost.butNot
        case .opened(_, _, let sessions): "the store is opened and holds \(sessions) sessions"
        case .failed(let reason): "the store failed: \(reason)"
        }
    }
}
