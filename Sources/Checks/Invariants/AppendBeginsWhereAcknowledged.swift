import Quantities
import RunLog

/// S3: "Each append begins at the offset that the server acknowledged. Acknowledged bytes are sent
/// again only if the resume policy or a loss of server state demands it."
struct AppendBeginsWhereAcknowledged: Invariant {
    private(set) var watch = Watch()
    /// The offset that the server last named for each resource; a new resource holds nothing.
    private var acknowledged: [ResourceName: ByteCount] = [:]
    private var lastResource: [TransferName: ResourceName] = [:]
    /// Transfers that have announced a start over and have not sent since.
    private var startingOver: Set<TransferName> = []
    private var hasClients = false
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    private var causes = StartOverCauses()
    /// The body on each connection, to know what has left the phone.
    private var bodies: [ConnectionName: Body] = [:]
    /// The bytes of each resource that have left the phone.
    private var left: [ResourceName: UInt64] = [:]

    private struct Body: Sendable {
        var resource: ResourceName
        var from: UInt64
        var streamOffset: UInt64
    }

    var rule: String { "S3" }
    var statement: String {
        "an append begins at the acknowledged offset; acknowledged bytes are sent again only "
            + "after a start over"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        causes.read(event)
        switch event.fact {
        case .engine(.accepts), .queue(.pathAdded): hasClients = true
        case .server(.created(let resource, _, _)): acknowledged[resource] = .zero
        case .server(.acknowledged(let resource, let offset)): acknowledged[resource] = offset
        case .server(.published(let resource, _, _, _)), .server(.discarded(let resource, _)):
            // Forgets settled uploads of a long-running server; the run's own clients may still
            // need them.
            if !hasClients { acknowledged[resource] = nil }
        case .server(.appendBegan(let resource, let at, let staged)):
            hasEvidence = true
            evidence.decides(.appendAtEnd, if: staged > .zero)
            guard at != staged else { return }
            watch.fall(
                expected:
                    "an append to \(resource) begins at \(staged.bytes), the end of the staged "
                    + "bytes",
                seen: "it begins at \(at.bytes)")
        case .engine(.startsOver(let transfer, let reason)):
            startingOver.insert(transfer)
            judge(transfer, startingOverBecause: reason)
        case .engine(.resumes(let transfer, let resource, let offset)):
            let couldLeave = offset > .zero && !causes.allow(transfer, toLeave: resource)
            evidence.decides(.needed, if: couldLeave)
        case .engine(.sends(let transfer, let resource, let from, let connection, let bodyAt)):
            hasEvidence = true
            judge(transfer, sendingTo: resource, from: from)
            bodies[connection] = Body(
                resource: resource, from: from.bytes, streamOffset: bodyAt.bytes)
            lastResource[transfer] = resource
            startingOver.remove(transfer)
        case .connection(.ended(let connection, _, let transmitted)):
            guard let body = bodies.removeValue(forKey: connection),
                transmitted.bytes > body.streamOffset
            else { return }
            let end = body.from + (transmitted.bytes - body.streamOffset)
            left[body.resource] = max(left[body.resource] ?? 0, end)
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no body was sent" }

    var clauses: [DecidedClause] { evidence.all }

    /// Judges whether there is a cause for leaving the bytes that the server holds.
    private mutating func judge(_ transfer: TransferName, startingOverBecause reason: String) {
        guard let resource = lastResource[transfer], let held = acknowledged[resource],
            held > .zero, !causes.allow(transfer, toLeave: resource)
        else { return }
        watch.fall(
            expected:
                "\(transfer) goes on with \(resource), of which \(held.bytes) bytes are "
                + "acknowledged, because its source is unchanged and the server has the upload",
            seen: "it starts over: \(reason)")
    }

    private mutating func judge(
        _ transfer: TransferName, sendingTo resource: ResourceName, from: ByteCount
    ) {
        let startsOver = startingOver.contains(transfer) && from == .zero
        guard let told = acknowledged[resource] else {
            // A transfer that is sent whole has no offset: each attempt begins at byte 0.
            let isWhole = transfer.facade == .background || transfer.facade == .operations
            evidence.decides(.wholeAgain, if: isWhole && lastResource[transfer] != nil)
            if isWhole, from == .zero { return }
            return watch.fall(
                expected: "the server names an offset of \(resource) before bytes are sent to it",
                seen: "\(transfer) sends from \(from.bytes) without knowing the offset")
        }
        evidence.decides(.asked, if: lastResource[transfer] != resource)
        evidence.decides(.fromAcknowledged, if: told > .zero && !startsOver)
        evidence.decides(.lessThanLeft, if: left[resource] ?? 0 > told.bytes && !startsOver)
        if from != told && !startsOver {
            return watch.fall(
                expected: "\(transfer) sends to \(resource) from \(told.bytes), as acknowledged",
                seen: "it sends from \(from.bytes)")
        }
        // A new resource is rightly empty, but the bytes in an earlier resource of this transfer
        // would be sent again.
        guard let earlier = lastResource[transfer], earlier != resource,
            let held = acknowledged[earlier], held > from
        else { return }
        evidence.decides(.announced)
        if startsOver { return }
        watch.fall(
            expected:
                "\(transfer) announces a start over before it abandons \(held.bytes) bytes "
                + "acknowledged in \(earlier)",
            seen: "it sends from \(from.bytes) to \(resource) without announcing it")
    }
}

extension AppendBeginsWhereAcknowledged {
    enum Clause: String, ClauseName {
        /// Decided by an append behind staged bytes, which could begin elsewhere.
        case appendAtEnd = "append at the end"
        /// Decided by the first bytes to each upload: an engine could guess where they go.
        case asked
        /// Decided by bytes that are sent behind acknowledged bytes: an engine could send all.
        case fromAcknowledged = "from the acknowledged offset"
        /// Decided by a send after more had left the phone than the server has: an engine that
        /// counts its own bytes leaves a gap.
        case lessThanLeft = "less arrived than was sent"
        /// Decided by each repetition of an upload that is sent whole.
        case wholeAgain = "whole again"
        /// Decided by an upload that is begun anew although the server holds bytes of it.
        case announced = "announced start over"
        /// Decided by each resume behind byte 0 without a cause to start over: an engine that
        /// begins anew all the same sends acknowledged bytes again.
        case needed = "no needless start over"

        var sentence: String {
            switch self {
            case .appendAtEnd: "an append begins at the end of the staged bytes"
            case .asked: "no bytes are sent to an upload before the server names its offset"
            case .fromAcknowledged: "an upload goes on from the acknowledged offset"
            case .lessThanLeft: "an upload goes on where the server is, not where the phone was"
            case .wholeAgain: "an upload that is sent whole begins at byte 0 each time"
            case .announced: "acknowledged bytes are abandoned only by an announced start over"
            case .needed:
                "an upload starts over only if its source, policy, server or app demands it"
            }
        }
    }
}
