import Quantities

/// What the ends of a connection have sent and received.
extension TCPStack {
    func room(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.room)
    }

    func transmitted(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.transmitted)
    }

    func received(_ handle: StreamHandle) -> ByteCount {
        let next = endpoints[handle.place].receiver.next
        return ByteCount(endpoints[handle.otherEnd.place].sender.streamBytes(before: next))
    }

    func window(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.window)
    }

    func acknowledged(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.acknowledged)
    }

    func hasLeftSlowStart(_ handle: StreamHandle) -> Bool {
        endpoints[handle.place].sender.controller.hasLeftSlowStart
    }

    func timeouts(_ handle: StreamHandle) -> Int {
        endpoints[handle.place].sender.recovery.timeouts
    }
}
