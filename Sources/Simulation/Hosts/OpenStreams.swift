import Quantities
import RunLog

/// Streams that apps have opened, until the network reports their end.
///
/// Streams outlive their processes: the stack of a killed app still drains, and only the end of the
/// stream tells how much was sent.
struct OpenStreams: Sendable {
    private var names: [StreamHandle: (connection: ConnectionName, app: UInt16?)] = [:]
    private var orphans: Set<StreamHandle> = []

    mutating func opened(
        _ handle: StreamHandle, as name: ConnectionName, of app: UInt16?
    ) {
        names[handle] = (name, app)
    }

    /// Handles of the streams, in order of their places.
    var handles: [StreamHandle] { names.keys.sorted { $0.index < $1.index } }

    /// Notes that the process behind a stream is gone.
    mutating func orphaned(_ handle: StreamHandle) { orphans.insert(handle) }

    /// Records how a stream ended, if an app had opened it.
    mutating func ended(
        _ handle: StreamHandle, _ end: ConnectionEnd, transmitted: ByteCount, at now: Instant,
        into log: inout RunLogSink
    ) {
        guard let name = names.removeValue(forKey: handle) else { return }
        let why = orphans.remove(handle) == nil ? end : .processDied
        log.record(
            .connection(.ended(name.connection, why: why, transmitted: transmitted)), at: now,
            app: name.app)
    }
}
