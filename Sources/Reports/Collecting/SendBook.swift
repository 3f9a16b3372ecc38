import Quantities
import RunLog

/// Body bytes that left the app more than once, by their offset in the file.
///
/// A body begins at a known place of a connection's stream, and the connection says at its end how
/// much of the stream left; what lies below the highest offset reached before was sent in vain.
struct SendBook: Sendable {
    private struct Body {
        var transfer: TransferName
        var from: ByteCount
        var bodyAt: ByteCount
    }

    private var bodies: [ConnectionName: [Body]] = [:]
    private var reached: [TransferName: ByteCount] = [:]
    private var again: [TransferName: ByteCount] = [:]
    private var sizes: [TransferName: ByteCount] = [:]

    mutating func read(_ fact: EngineFact) {
        switch fact {
        case .inspected(let transfer, let size, _): sizes[transfer] = size
        case .sends(let transfer, _, let from, let connection, let bodyAt):
            bodies[connection, default: []].append(
                Body(transfer: transfer, from: from, bodyAt: bodyAt))
        default: break
        }
    }

    mutating func read(_ fact: ConnectionFact) {
        guard case .ended(let connection, _, let transmitted) = fact else { return }
        let sent = bodies.removeValue(forKey: connection) ?? []
        for (order, body) in sent.enumerated() {
            // The next head ends this body at the latest.
            let limit = order + 1 < sent.count ? sent[order + 1].bodyAt : transmitted
            let end = min(limit, transmitted)
            guard end > body.bodyAt else { continue }
            note(body, length: end - body.bodyAt)
        }
    }

    func sentAgain(of transfer: TransferName) -> ByteCount { again[transfer] ?? .zero }

    private mutating func note(_ body: Body, length: ByteCount) {
        let size = sizes[body.transfer] ?? body.from + length
        let end = min(body.from + length, max(size, body.from))
        let before = reached[body.transfer] ?? .zero
        if body.from < before {
            again[body.transfer, default: .zero] += min(end, before) - body.from
        }
        reached[body.transfer] = max(before, end)
    }
}
