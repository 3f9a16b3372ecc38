import Quantities
import RunLog

/// The bytes that each callback about a background task tells of: those since the app was last
/// called, or since the attempt began (B2).
///
/// The first callback of a launch tells of all bytes of the attempt, as this launch heard of none.
struct BytesOfCallbacks: Sendable {
    private(set) var evidence = Evidence<Clause>()
    private var owners: [TransferName: ItemName] = [:]
    private var tasks: [ItemName: Told] = [:]

    private struct Told: Sendable {
        var app: UInt16?
        /// Where the attempt began.
        var start = ByteCount.zero
        /// How far the app has heard that the attempt has come.
        var done = ByteCount.zero
        /// How far the app has heard that the earlier attempt has come. A callback of that attempt
        /// may still be on its way to the app.
        var doneBefore: ByteCount?
    }

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .engine(.accepts(let item, _, let transfers)) where item.facade == .background:
            for transfer in transfers { owners[transfer.transfer] = item }
            tasks[item] = Told(app: event.app)
        case .engine(.attempt(let item, _)):
            guard let told = tasks[item] else { return }
            tasks[item] = Told(app: told.app, doneBefore: told.done)
        case .engine(.resumes(let transfer, _, let offset)):
            guard let item = owners[transfer] else { return }
            tasks[item]?.start = offset
            tasks[item]?.done = offset
        case .device(.appLaunched):
            // any order: each begins again by itself
            for (item, told) in tasks where told.app == event.app {
                tasks[item]?.done = told.start
                tasks[item]?.doneBefore = nil
            }
        case .background(.callback(let item, .didSendBodyData(let bytes, let done, _))),
            .background(.callback(let item, .didWriteData(let bytes, let done, _))):
            try judge(item, telling: bytes, upTo: done)
        default: break
        }
    }

    private mutating func judge(
        _ task: ItemName, telling bytes: ByteCount, upTo done: ByteCount
    ) throws(Slip) {
        guard let told = tasks[task] else { return }
        evidence.decides(.bytes, if: told.done > .zero)
        if let before = told.doneBefore, before + bytes == done, told.done + bytes != done {
            tasks[task]?.doneBefore = done
            return
        }
        tasks[task]?.done = done
        tasks[task]?.doneBefore = nil
        guard told.done + bytes != done else { return }
        throw Slip(
            expected: "\(task) tells of the bytes from \(told.done.bytes) to \(done.bytes)",
            seen: "it tells of \(bytes.bytes) bytes")
    }

    enum Clause: String, ClauseName {
        /// Decided by each callback that is not the first from byte 0: it could tell of all bytes
        /// instead of the new ones.
        case bytes = "bytes of a callback"

        var sentence: String { "a task's callback tells of the bytes since the last one" }
    }
}
