import Quantities
import RunLog

/// The silence of a queue's session after the server has refused a request for now (A16, S10).
/// It is judged by requests and answers alone: an engine could ask again without calling it an
/// attempt.
struct RefusedRequests: Sendable {
    private(set) var evidence = Evidence<Clause>()
    private var owners: [ConnectionName: ItemName] = [:]
    private var persistent: Set<ItemName> = []
    /// The end of the silence of each session.
    private var silentUntil: [ItemName: Instant] = [:]

    private static let shortest = TimeSpan.seconds(2)

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .engine(.isPersistent(let session)): persistent.insert(session)
        case .connection(.opening(let connection, _, let item)):
            if let item, item.facade == .queue { owners[connection] = item }
        case .connection(.ended(let connection, _, _)): owners[connection] = nil
        case .connection(.response(let connection, let status, let asked)):
            // The connections of a persistent session are refused and repeated one by one.
            guard Self.isForNow(status), let session = owners[connection],
                !persistent.contains(session)
            else { return }
            evidence.decides(.silence)
            let pause = max(Self.shortest, asked?.pause ?? .zero)
            silentUntil[session] = max(event.at + pause, silentUntil[session] ?? event.at)
        case .connection(.request(let connection, let method, _)):
            // A session that the app ends has its upload discarded at once.
            guard method != "DELETE", let session = owners[connection],
                let until = silentUntil[session], event.at < until
            else { return }
            throw Slip(
                expected: "\(session) asks for nothing until \(until), after a refusal",
                seen: "\(connection) asks at \(event.at)")
        // An explicit run does not wait, nor does a new launch.
        case .queue(.asked(let session, .run)), .queue(.asked(let session, .resume)):
            silentUntil[session] = nil
        case .device(.appKilled), .device(.appCrashed): silentUntil = [:]
        default: break
        }
    }

    /// Whether the same request may succeed later.
    private static func isForNow(_ status: Int) -> Bool {
        status == 408 || status == 423 || status == 429 || (500...506).contains(status)
    }
}

extension RefusedRequests {
    enum Clause: String, ClauseName {
        /// Decided by each refusal that may pass: an engine could ask again at once, and not count
        /// it.
        case silence = "silence after a refusal"

        var sentence: String { "a refused session asks for nothing before its pause is over" }
    }
}
