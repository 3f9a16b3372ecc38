import Quantities
import RunLog

/// The streams that apps have opened, until the network says that they are over.
///
/// It outlives the processes: what a killed app's stack had taken still drains, and only the end of
/// the stream tells how much left.
struct OpenStreams: Sendable {
    private var names: [StreamHandle: ConnectionName] = [:]
    private var orphans: Set<StreamHandle> = []

    mutating func opened(_ handle: StreamHandle, as name: ConnectionName) { names[handle] = name }

    /// In the order of their places.
    var handles: [StreamHandle] { names.keys.sorted { $0.index < $1.index } }

    /// The process behind this stream is gone.
    mutating func orphaned(_ handle: StreamHandle) { orphans.insert(handle) }

    /// The fact that tells how the stream ended; `nil` if no app had opened it.
    mutating func ended(
        _ handle: StreamHandle, _ end: ConnectionEnd, transmitted: ByteCount
    ) -> RunEvent.Fact? {
        guard let name = names.removeValue(forKey: handle) else { return nil }
        let why = orphans.remove(handle) == nil ? end : .processDied
        return .connection(.ended(name, why: why, transmitted: transmitted))
    }
}
