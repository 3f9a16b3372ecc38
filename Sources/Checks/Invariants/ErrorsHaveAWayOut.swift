import Quantities
import RunLog

/// L2: "No endless error loop: 416, 409, 404/410, expired token and a full disk each have a way
/// out."
/// A session that gets the same refusal again and again, without any newly acknowledged byte, is in
/// a loop, whether or not it counts attempts. A 404 before the first upload is an answer, not a
/// refusal. An explicit request of the app starts a new count, and so does a file that is given up,
/// which is a way out. The end of a process may take the failure of the latest attempt with it,
/// before the store has it: that attempt does not count. A run in which time stands still is a loop
/// as well: an engine may have tried again at once, each time.
struct ErrorsHaveAWayOut: Invariant {
    private(set) var watch = Watch()
    private var owners: [ConnectionName: ItemName] = [:]
    /// The apps of items that have ever connected.
    private var apps: [ItemName: UInt16] = [:]
    /// Connections that ask for the current object (A15).
    private var looking: Set<ConnectionName> = []
    private var refusals: [ItemName: Refusals] = [:]
    private var items: [TransferName: ItemName] = [:]
    /// The bytes that the server has of each resource, to notice progress.
    private var acknowledged: [ResourceName: ByteCount] = [:]
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()

    private struct Refusals: Sendable {
        var status: Int
        var count: Int
        /// Those of them that belong to the latest attempt.
        var ofAttempt: Int

        mutating func forgetAttempt() {
            count -= ofAttempt
            ofAttempt = 0
        }
    }

    /// The limit: eight attempts with up to two refused requests each.
    private static let most = 16

    var rule: String { "L2" }
    var statement: String {
        "no session gets the same refusal more than \(Self.most) times without any progress, and "
            + "time never stands still"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .connection(.opening(let connection, _, let item)):
            owners[connection] = item
            if let item { apps[item] = event.app ?? 1 }
        case .engine(.attempt(let item, _)): refusals[item]?.ofAttempt = 0
        case .device(.appLaunched): forgetAttempts(of: event.app ?? 1)
        case .connection(.ended(let connection, let why, _)):
            owners[connection] = nil
            let canBeAtOnce: [ConnectionEnd] = [.networkLost, .refused, .reset, .notFound]
            evidence.decides(.atOnce, if: canBeAtOnce.contains(why))
        case .run(.ended(.endless)):
            hasEvidence = true
            watch.fall(
                expected: "whatever fails is tried again after a while",
                seen: "one event followed another without an end, until the run was given up")
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
        case .engine(.accepts(let item, _, let transfers)):
            for transfer in transfers { items[transfer.transfer] = item }
        case .queue(.pathAdded(let item, let path)): items[path.transfer] = item
        case .engine(.givesUp(let transfer, _)):
            if let item = items[transfer] { refusals[item] = nil }
        case .server(.acknowledged(let resource, let offset)):
            guard offset > acknowledged[resource] ?? .zero else { return }
            acknowledged[resource] = offset
            refusals.removeAll()
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "there were no answers" }

    var clauses: [DecidedClause] { evidence.all }

    /// Takes the latest attempts of an app's items back. The system's tasks know nothing of a
    /// launch.
    private mutating func forgetAttempts(of app: UInt16) {
        // any order: each is changed by itself
        for (item, owner) in apps where owner == app && item.facade != .background {
            refusals[item]?.forgetAttempt()
        }
    }

    private mutating func judge(_ session: ItemName, refusedWith status: Int) {
        evidence.decides(Clause(status))
        var seen = refusals[session] ?? Refusals(status: status, count: 0, ofAttempt: 0)
        if seen.status != status { seen = Refusals(status: status, count: 0, ofAttempt: 0) }
        seen.count += 1
        seen.ofAttempt += 1
        refusals[session] = seen
        let count = seen.count
        guard count > Self.most else { return }
        watch.fall(
            expected: "\(session) finds a way out of \(status), or fails",
            seen: "it has been answered \(status) \(count) times without another byte acknowledged")
    }
}

extension ErrorsHaveAWayOut {
    /// Each is decided by every refusal with such a status: an engine without a way out gets it
    /// again and again.
    enum Clause: String, ClauseName {
        case range = "416"
        case conflict = "409"
        case gone = "404 or 410"
        case unauthorised = "401 or 403"
        case full = "507 or 413"
        /// Decided by each connection that fails: the next could be opened at once, without an end.
        case atOnce = "not at once"
        case server = "other 5xx"
        case other = "other 4xx"

        init(_ status: Int) {
            self =
                switch status {
                case 416: .range
                case 409: .conflict
                case 404, 410: .gone
                case 401, 403: .unauthorised
                case 507, 413: .full
                case 500...: .server
                default: .other
                }
        }

        var sentence: String {
            switch self {
            case .atOnce: "whatever fails is tried again after a while, if at all"
            case .range, .conflict, .gone, .unauthorised, .full, .server, .other:
                "an item that is answered \(rawValue) finds a way out, or fails"
            }
        }
    }
}
