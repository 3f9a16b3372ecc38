package import Content
package import Protocols
package import Quantities
package import RunLog

/// The connections of a network's hosts. A host that has called by name has a handle of its own,
/// for which the stack's stream is looked up.
extension VirtualNetwork {
    /// Accepts connections to a port. With `onlyCounting`, content is read on arrival and not
    /// reported.
    package mutating func listen(_ host: NetworkHost, port: UInt16, onlyCounting: Bool = false) {
        stack.listen(host, port: port, onlyCounting: onlyCounting)
        if host == .server { paced.serverComes() }
    }

    /// Refuses connections to a port from now on.
    package mutating func stopListening(_ host: NetworkHost, port: UInt16) {
        stack.stopListening(host, port: port)
        if host == .server { paced.serverGoes() }
    }

    /// Opens a connection. It stays on its interface, whatever happens there.
    package mutating func connect(
        from host: NetworkHost, to peer: NetworkHost, port: UInt16, over interface: Int = 0,
        isBackground: Bool = false
    ) -> StreamHandle {
        stack.connect(
            from: host, to: peer, port: port, over: interface, isBackground: isBackground,
            &fabric)
    }

    /// Opens a connection to the server, whose address has to be asked for if there is a plan of
    /// names.
    package mutating func connect(
        as name: ConnectionName, of app: UInt16?, port: UInt16, over interface: Int,
        isBackground: Bool
    ) -> StreamHandle {
        let call = NameService.Call(
            name, of: app, over: interface, port: port, isBackground: isBackground)
        if let handle = names?.call(call, &stack, &fabric) { return handle }
        return connect(
            from: .client, to: .server, port: port, over: interface, isBackground: isBackground)
    }

    /// Lets a client open a stream of the paced transport to this session, once.
    package mutating func admit(_ session: UInt64, _ settings: PacedSettings) {
        paced.admit(session, settings)
    }

    /// Opens a stream of the paced transport to a session of the server.
    package mutating func connect(
        to session: UInt64, _ settings: PacedSettings, hasChannels: Bool = false,
        over interface: Int
    ) -> StreamHandle {
        paced.connect(
            to: session, settings, hasChannels: hasChannels, over: interface, &fabric)
    }

    /// Opens another channel of a session of the paced transport; `nil` if there is none to be had.
    package mutating func openChannel(beside handle: StreamHandle) -> StreamHandle? {
        paced.open(beside: handle, &stack.news)
    }

    /// Changes the rates of what one end of a stream of the paced transport sends.
    package mutating func pace(_ handle: StreamHandle, _ settings: PacedSettings) {
        paced.pace(handle, settings, &fabric)
    }

    /// Returns the session of a stream of the paced transport; `nil` for a stream of TCP.
    package func session(of handle: StreamHandle) -> UInt64? {
        handle.isPaced ? paced.session(of: handle) : nil
    }

    package func interface(of handle: StreamHandle) -> Int {
        if handle.isPaced { return paced.interface(of: handle) }
        if let names, handle.isName { return names.interface(of: handle) }
        return stack.interface(of: handle)
    }

    /// Queues content. A host may exceed `room`, but should wait.
    package mutating func send(_ handle: StreamHandle, _ segments: [Segment]) {
        guard !handle.isPaced else { return paced.send(handle, segments, &fabric) }
        guard let stream = stream(of: handle) else { return }
        stack.send(stream, segments, &fabric)
    }

    /// Appends all unread content that has arrived in order to `segments`.
    package mutating func read(_ handle: StreamHandle, into segments: inout [Segment]) {
        guard !handle.isPaced else {
            return paced.read(handle, into: &segments, &fabric, &stack.news)
        }
        guard let stream = stream(of: handle) else { return }
        stack.read(stream, into: &segments, &fabric)
    }

    /// Reads the next `count` bytes on arrival and keeps them back without telling the host: nearly
    /// every packet of a long transfer. Lasts until the host reads.
    package mutating func keepBack(_ handle: StreamHandle, upTo count: ByteCount) {
        if !handle.isPaced { stack.keepBack(handle, upTo: count) }
    }

    /// Appends content that was kept back to `segments`, and returns when the latest content
    /// arrived. From now on the host hears of everything.
    package mutating func takeKeptBack(
        _ handle: StreamHandle, into segments: inout [Segment]
    ) -> Instant {
        guard !handle.isPaced else {
            paced.read(handle, into: &segments, &fabric, &stack.news)
            return now
        }
        return stack.takeKeptBack(handle, into: &segments)
    }

    /// Ends this direction after all queued content; the other direction stays open.
    package mutating func finish(_ handle: StreamHandle) {
        guard !handle.isPaced else { return paced.finish(handle, &fabric, &stack.news) }
        guard let stream = stream(of: handle) else { return cancel(handle, because: .closed) }
        stack.finish(stream, &fabric)
    }

    /// Handles the death of a host's process. Queued content still drains, and the connection ends
    /// in order, but new content is answered with a reset. A connection that is not yet established
    /// vanishes.
    package mutating func abandon(_ handle: StreamHandle) {
        guard !handle.isPaced else {
            return paced.vanish(handle, because: .processDied, &fabric, &stack.news)
        }
        guard let stream = stream(of: handle) else { return cancel(handle, because: nil) }
        stack.abandon(stream, &fabric)
    }

    /// Lets the process at an end of a paced stream stand still, or go on.
    package mutating func standStill(_ handle: StreamHandle, _ stands: Bool) {
        paced.standStill(handle, stands, &fabric, &stack.news)
    }

    /// Resets both directions; no event follows on this side.
    package mutating func abort(_ handle: StreamHandle) {
        guard !handle.isPaced else {
            return paced.abort(handle, because: nil, &fabric, &stack.news)
        }
        guard let stream = stream(of: handle) else { return cancel(handle, because: nil) }
        stack.abort(stream, &fabric)
    }

    /// Handles the death of the server's process: its end of the stream is gone. The system of a
    /// client hears of that, if the stream is TCP's.
    package mutating func crash(_ handle: StreamHandle) {
        guard handle.isPaced else { return abort(handle) }
        paced.vanish(handle, because: nil, &fabric, &stack.news)
    }

    /// Resets both directions; the end follows as an event on this side.
    package mutating func reset(_ handle: StreamHandle) {
        guard !handle.isPaced else {
            return paced.abort(handle, because: .aborted, &fabric, &stack.news)
        }
        guard let stream = stream(of: handle) else { return cancel(handle, because: .aborted) }
        stack.reset(stream, &fabric)
    }

    /// Gives up a stream that has ended for the host, so that its place can be reused. `abort`
    /// releases a stream, too.
    package mutating func release(_ handle: StreamHandle) {
        guard !handle.isPaced else { return }
        if let stream = stream(of: handle) { stack.release(stream, &fabric) }
    }

    package func room(_ handle: StreamHandle) -> ByteCount {
        guard !handle.isPaced else { return paced.room(handle) }
        guard let stream = stream(of: handle) else { return .zero }
        return stack.room(stream)
    }

    /// Stream bytes sent, without retransmissions.
    package func transmitted(_ handle: StreamHandle) -> ByteCount {
        guard !handle.isPaced else { return paced.transmitted(handle) }
        guard let stream = stream(of: handle) else { return .zero }
        return stack.transmitted(stream)
    }

    /// Stream bytes received in order, read or not.
    package func received(_ handle: StreamHandle) -> ByteCount { stack.received(handle) }

    /// Stream bytes acknowledged by the peer's stack.
    package func acknowledged(_ handle: StreamHandle) -> ByteCount { stack.acknowledged(handle) }

    /// Whether the congestion controller of one end has a threshold.
    package func hasLeftSlowStart(_ handle: StreamHandle) -> Bool {
        stack.hasLeftSlowStart(handle)
    }

    /// Retransmission timeouts of one end, those of its handshake left out.
    package func timeouts(_ handle: StreamHandle) -> Int { stack.timeouts(handle) }

    /// Returns the congestion window of one end.
    func window(_ handle: StreamHandle) -> CongestionWindow {
        guard let stream = stream(of: handle) else {
            preconditionFailure("a window of a connection that is not established")
        }
        return stack.window(stream, of: UInt16(truncatingIfNeeded: stream.connection), at: now)
    }

    /// Returns the stack's stream for a host's handle; `nil` if no attempt has won yet.
    @inline(__always)
    func stream(of handle: StreamHandle) -> StreamHandle? {
        handle.isName ? names?.stream(of: handle) : handle
    }

    /// Ends a connection by name that is not established.
    mutating func cancel(_ handle: StreamHandle, because why: ConnectionEnd?) {
        names?.cancel(handle, because: why, &stack, &fabric)
    }
}
