import Quantities
import RunLog

/// The streams that apps have opened, until the network says that they are over.
///
/// It outlives the processes: what a killed app's stack had taken still drains, and only the end of
/// the stream tells how much left.
struct OpenStreams: Sendable {
    private var names: [StreamHandle: Name] = [:]
    private var orphans: Set<StreamHandle> = []

    private struct Name {
        var connection: ConnectionName
        var app: UInt16?
    }

    mutating func opened(
        _ handle: StreamHandle, as name: ConnectionName, of app: UInt16?
    ) {
        names[handle] = Name(connection: name, app: app)
    }

    /// In the order of their places.
    var handles: [StreamHandle] { names.keys.sorted { $0.index < $1.index } }

    /// The process behind this stream is gone.
    mutating func orphaned(_ handle: StreamHandle) { orphans.insert(handle) }

    /// Tells how the stream ended; nothing if no app had opened it.
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
