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

    var rule: String { "S3" }
    var statement: String {
        "an append begins at the acknowledged offset; acknowledged bytes are sent again only "
            + "after a start over"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
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
            guard at != staged else { return }
            watch.fall(
                expected:
                    "an append to \(resource) begins at \(staged.bytes), the end of the staged "
                    + "bytes",
                seen: "it begins at \(at.bytes)")
        case .engine(.startsOver(let transfer, _)): startingOver.insert(transfer)
        case .engine(.sends(let transfer, let resource, let from, _, _)):
            hasEvidence = true
            judge(transfer, sendingTo: resource, from: from)
            lastResource[transfer] = resource
            startingOver.remove(transfer)
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no body was sent" }

    private mutating func judge(
        _ transfer: TransferName, sendingTo resource: ResourceName, from: ByteCount
    ) {
        let startsOver = startingOver.contains(transfer) && from == .zero
        guard let told = acknowledged[resource] else {
            // A transfer that is sent whole has no offset: each attempt begins at byte 0.
            let isWhole = transfer.facade == .background || transfer.facade == .operations
            if isWhole, from == .zero { return }
            return watch.fall(
                expected: "the server names an offset of \(resource) before bytes are sent to it",
                seen: "\(transfer) sends from \(from.bytes) without knowing the offset")
        }
        if from != told && !startsOver {
            return watch.fall(
                expected: "\(transfer) sends to \(resource) from \(told.bytes), as acknowledged",
                seen: "it sends from \(from.bytes)")
        }
        // A new resource is rightly empty, but the bytes in an earlier resource of this transfer
        // would be sent again.
        guard let earlier = lastResource[transfer], earlier != resource, !startsOver,
            let held = acknowledged[earlier], held > from
        else { return }
        watch.fall(
            expected:
                "\(transfer) announces a start over before it abandons \(held.bytes) bytes "
                + "acknowledged in \(earlier)",
            seen: "it sends from \(from.bytes) to \(resource) without announcing it")
    }
}
