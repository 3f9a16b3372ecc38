/// The transfer daemon of a phone and its store, which serve all apps.
package enum DaemonFact: Hashable, Sendable, Codable {
    /// A fact of the daemon's store. The launch of `opened` is a start of the daemon.
    case store(StoreFact, device: UInt16? = nil)
    /// Bits of the store flipped by themselves.
    case bitsFlipped(count: UInt32, device: UInt16? = nil)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable { case store, bitsFlipped }
    private enum StoreCodingKeys: String, CodingKey { case _0 = "fact", device }

    func sentence(_ names: RunNames) -> String {
        let words =
            switch self {
            case .store(.opened(_, _, let tasks), _): "opens its store, which holds \(tasks) tasks"
            case .store(.setAside(let name, let reason, let kept, let lost), _):
                "sets its store aside as \(name), as it was damaged (\(reason)); \(kept.count) of "
                    + "its tasks could be read" + lost.butNot
            case .store(.requested(let ticket, _, _), _): "hands change \(ticket) to its store"
            case .store(.committed(let ticket), _): "has change \(ticket) durable"
            case .store(.failed(let reason), _): "has a store that failed: \(reason)"
            case .bitsFlipped(let count, _): "is off while \(count) bits of its store flip"
            }
        return "the daemon of \(names.thePhone(device)) \(words)"
    }

    /// The phone; `nil` is the first one.
    package var device: UInt16? {
        switch self {
        case .store(_, let device), .bitsFlipped(_, let device): device
        }
    }
}
