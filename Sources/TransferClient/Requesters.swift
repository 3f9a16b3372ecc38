import Synchronization
import TransferEngine

/// Who waits for the answer to a request, in any thread. Numbers the requests of this process.
final class Requesters: Sendable {
    typealias Hearing = @Sendable (QueueAnswer) -> Void

    private struct Known {
        var last: UInt64 = 0
        var waiting: [RequestID: Hearing] = [:]
        var hasEnded = false
    }

    private let known = Mutex(Known())

    /// Returns the next number. `hear` is called once, with what came of the request. `nil` when
    /// the host has ended; `hear` knows then.
    func admit(_ hear: Hearing?) -> RequestID? {
        let request: RequestID? = known.withLock { known in
            guard !known.hasEnded else { return nil }
            known.last += 1
            let request = RequestID(known.last)
            if let hear { known.waiting[request] = hear }
            return request
        }
        if request == nil { hear?(.refused(.hostHasEnded)) }
        return request
    }

    func answer(_ request: RequestID, _ answer: QueueAnswer) {
        known.withLock { $0.waiting.removeValue(forKey: request) }?(answer)
    }

    /// Refuses all who wait, and all who come.
    func end() {
        let waiting = known.withLock { known in
            known.hasEnded = true
            defer { known.waiting = [:] }
            return known.waiting
        }
        // any order: each has asked by itself
        for hear in waiting.values { hear(.refused(.hostHasEnded)) }
    }
}
