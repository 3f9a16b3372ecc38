import Quantities
package import RunLog

/// L2: "No endless error loop: 416, 409, 404/410, expired token and a full disk each have a way
/// out."
///
/// A session that hears one refusal again and again, with no byte more acknowledged in between, is
/// in a loop: whether it calls that attempts or not. That nothing stands yet where an upload goes
/// is an answer, and no refusal. Whoever asks for it anew is told anew.
package struct ErrorsHaveAWayOut: Check {
    private var watch = Watch()
    private var owners: [ConnectionName: ItemName] = [:]
    /// These ask what stands in the docroot (A15).
    private var looking: Set<ConnectionName> = []
    private var refusals: [ItemName: Refusals] = [:]
    /// How much of each resource the server has, to see that something moves.
    private var acknowledged: [ResourceName: ByteCount] = [:]
    private var hasEvidence = false

    private struct Refusals: Sendable {
        var status: Int
        var count: Int
    }

    /// Eight attempts, and two requests that may be refused in each.
    private static let most = 16

    package init() {}

    package var rule: String { "L2" }
    package var statement: String {
        "no session hears one refusal more than \(Self.most) times while nothing moves"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .connection(.opening(let connection, _, let item)): owners[connection] = item
        case .connection(.ended(let connection, _, _)): owners[connection] = nil
        case .connection(.request(let connection, let method, let target)):
            if method == "HEAD", target.hasPrefix("/dav/") { looking.insert(connection) }
        case .connection(.response(let connection, let status, _)):
            hasEvidence = true
            if looking.remove(connection) != nil, status == 404 { return }
            guard let session = owners[connection], status >= 400 else { return }
            judge(session, refusedWith: status)
        case .queue(.asked(let item, .run)), .operations(.asked(let item, .retry)),
            .entries(.asked(let item, .transfer)):
            refusals[item] = nil
        case .server(.acknowledged(let resource, let offset)):
            guard offset > acknowledged[resource] ?? .zero else { return }
            acknowledged[resource] = offset
            refusals.removeAll()
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "the server answered nothing")
    }

    private mutating func judge(_ session: ItemName, refusedWith status: Int) {
        let before = refusals[session]
        let count = before?.status == status ? (before?.count ?? 0) + 1 : 1
        refusals[session] = Refusals(status: status, count: count)
        guard count > Self.most else { return }
        watch.fall(
            expected: "\(session) finds a way out of \(status), or fails",
            seen: "it is answered \(status) for time \(count), and no byte more is acknowledged")
    }
}
