package import Quantities
package import RunLog

/// Body bytes that leave the app, by their place in the file, to count repeated bytes.
/// A byte counts when it leaves the connection for the first time: TCP's retransmissions do not
/// count. Bytes are counted at the end of the connection, which then reports how much has left.
package struct SentBodies: Sendable {
    /// Whether any body was sent.
    package private(set) var hasEvidence = false
    private var lengths: [ResourceName: ByteCount] = [:]
    /// Bodies on open connections, in the order of their streams.
    private var bodies: [ConnectionName: [Body]] = [:]
    /// Open connections in the order of their first body, to keep the result deterministic.
    private var carriers: [ConnectionName] = []
    private var covered: [TransferName: CoveredBytes] = [:]
    private var repeated: [TransferName: ByteCount] = [:]
    /// Bytes sent again by all transfers.
    package private(set) var sentAgain = ByteCount.zero

    private struct Body: Sendable {
        var transfer: TransferName
        var from: UInt64
        /// The start of the body in the connection's stream.
        var streamOffset: UInt64
        /// The end of the file, if it is known.
        var end: UInt64
    }

    package init() {}

    package mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .server(.created(let resource, _, let length)): lengths[resource] = length
        case .engine(.sends(let transfer, let resource, let from, let connection, let bodyAt)):
            hasEvidence = true
            let body = Body(
                transfer: transfer, from: from.bytes, streamOffset: bodyAt.bytes,
                end: lengths[resource]?.bytes ?? .max)
            add(body, to: connection)
        case .connection(.ended(let connection, _, let transmitted)):
            settle(connection, transmitted: transmitted.bytes)
        default: break
        }
    }

    package func sentAgain(of transfer: TransferName) -> ByteCount {
        repeated[transfer] ?? .zero
    }

    /// The first connection with a body that has not reported how much has left.
    package var unsettled: ConnectionName? { carriers.first }

    private mutating func add(_ body: Body, to connection: ConnectionName) {
        var row = bodies[connection] ?? []
        if row.isEmpty { carriers.append(connection) }
        // The same transfer continues on this connection: the bytes in between are the head of the
        // next request, not body.
        if let last = row.last, last.transfer == body.transfer, body.from > last.from {
            row[row.count - 1].end = min(last.end, body.from)
        }
        row.append(body)
        bodies[connection] = row
    }

    private mutating func settle(_ connection: ConnectionName, transmitted: UInt64) {
        guard let row = bodies.removeValue(forKey: connection) else { return }
        carriers.removeAll { $0 == connection }
        for (index, body) in row.enumerated() {
            let streamEnd =
                index + 1 < row.count
                ? min(row[index + 1].streamOffset, transmitted) : transmitted
            guard streamEnd > body.streamOffset else { continue }
            let end = min(body.end, body.from + (streamEnd - body.streamOffset))
            guard end > body.from else { continue }
            let again = ByteCount(
                covered[body.transfer, default: CoveredBytes()].cover(body.from..<end))
            repeated[body.transfer, default: .zero] += again
            sentAgain += again
        }
    }
}

/// The bytes of a body that have left at least once: sorted ranges that do not touch.
private struct CoveredBytes: Sendable {
    private var ranges: [Range<UInt64>] = []

    /// Adds a range, and returns how many of its bytes were already covered.
    mutating func cover(_ added: Range<UInt64>) -> UInt64 {
        var again: UInt64 = 0
        var merged = added
        var kept: [Range<UInt64>] = []
        for range in ranges {
            if range.upperBound < merged.lowerBound || merged.upperBound < range.lowerBound {
                kept.append(range)
                continue
            }
            again += UInt64(range.clamped(to: added).count)
            merged =
                min(
                    range.lowerBound, merged.lowerBound)..<max(
                    range.upperBound, merged.upperBound)
        }
        kept.append(merged)
        ranges = kept.sorted { $0.lowerBound < $1.lowerBound }
        return again
    }
}
