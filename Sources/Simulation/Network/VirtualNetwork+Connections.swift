package import Content
package import Quantities
package import RunLog

/// The connections of a network's hosts. A host that has called by name has a handle of its own,
/// for which the stack's stream is looked up.
extension VirtualNetwork {
    /// Accepts connections to a port. With `onlyCounting`, content is read on arrival and not
    /// reported.
    package mutating func listen(_ host: NetworkHost, port: UInt16, onlyCounting: Bool = false) {
        stack.listen(host, port: port, onlyCounting: onlyCounting)
    }

    /// Refuses connections to a port from now on.
    package mutating func stopListening(_ host: NetworkHost, port: UInt16) {
        stack.stopListening(host, port: port)
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

    package func interface(of handle: StreamHandle) -> Int {
        if let names, handle.isName { return names.interface(of: handle) }
        return stack.interface(of: handle)
    }

    /// Queues content. A host may exceed `room`, but should wait.
    package mutating func send(_ handle: StreamHandle, _ segments: [Segment]) {
        guard let stream = stream(of: handle) else { return }
        stack.send(stream, segments, &fabric)
    }

    /// Appends all unread content that has arrived in order to `segments`.
    package mutating func read(_ handle: StreamHandle, into segments: inout [Segment]) {
        guard let stream = stream(of: handle) else { return }
        stack.read(stream, into: &segments, &fabric)
    }

    /// Reads the next `count` bytes on arrival and keeps them back without telling the host: nearly
    /// every packet of a long transfer. Lasts until the host reads.
    package mutating func keepBack(_ handle: StreamHandle, upTo count: ByteCount) {
        stack.keepBack(handle, upTo: count)
    }

    /// Appends content that was kept back to `segments`, and returns when the latest content
    /// arrived. From now on the host hears of everything.
    package mutating func takeKeptBack(
        _ handle: StreamHandle, into segments: inout [Segment]
    ) -> Instant {
        stack.takeKeptBack(handle, into: &segments)
    }

    /// Ends this direction after all queued content; the other direction stays open.
    package mutating func finish(_ handle: StreamHandle) {
        guard let stream = stream(of: handle) else { return cancel(handle, because: .closed) }
        stack.finish(stream, &fabric)
    }

    /// Handles the death of a host's process. Queued content still drains, and the connection ends
    /// in order, but new content is answered with a reset. A connection that is not yet established
    /// vanishes.
    package mutating func abandon(_ handle: StreamHandle) {
        guard let stream = stream(of: handle) else { return cancel(handle, because: nil) }
        stack.abandon(stream, &fabric)
    }

    /// Resets both directions; no event follows on this side.
    package mutating func abort(_ handle: StreamHandle) {
        guard let stream = stream(of: handle) else { return cancel(handle, because: nil) }
        stack.abort(stream, &fabric)
    }

    /// Resets both directions; the end follows as an event on this side.
    package mutating func reset(_ handle: StreamHandle) {
        guard let stream = stream(of: handle) else { return cancel(handle, because: .aborted) }
        stack.reset(stream, &fabric)
    }

    /// Gives up a stream that has ended for the host, so that its place can be reused. `abort`
    /// releases a stream, too.
    package mutating func release(_ handle: StreamHandle) {
        if let stream = stream(of: handle) { stack.release(stream, &fabric) }
    }

    package func room(_ handle: StreamHandle) -> ByteCount {
        guard let stream = stream(of: handle) else { return .zero }
        return stack.room(stream)
    }

    /// Stream bytes sent, without retransmissions.
    package func transmitted(_ handle: StreamHandle) -> ByteCount {
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
