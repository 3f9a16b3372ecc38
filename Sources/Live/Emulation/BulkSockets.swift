import CLinux
import Glibc
import Quantities
import RunPlan
import TransferHost

/// The sockets of both ends of a bulk flow, which connect once the ends have started.
struct BulkSockets: ~Copyable {
    private let port: UInt16
    private let sender: Int32
    private let listener: Int32

    /// The port of the flow that is measured, and that of its rival.
    static let port: UInt16 = 5_001
    static let rivalPort: UInt16 = 5_002
    static let clientAddress = "192.0.2.1"
    static let serverAddress = "192.0.2.2"
    private static let priority: Int32 = 10

    /// `controller` is the kernel's name of a congestion control.
    init(
        from client: borrowing NetworkSpace, to server: borrowing NetworkSpace, port: UInt16,
        controller: String
    ) throws(SystemError) {
        let listener = try server.inside { () throws(SystemError) in try Self.listen(port) }
        let sender: Int32
        do throws(SystemError) {
            sender = try client.inside { () throws(SystemError) in
                try Self.makeSender(controller)
            }
        } catch {
            close(listener)
            throw error
        }
        self.port = port
        self.listener = listener
        self.sender = sender
    }

    deinit {
        closeAtOnce(sender)
        close(listener)
    }

    /// Starts both ends, each on a thread of its own. The sender begins so long after it has read a
    /// byte from `ready`.
    func start(
        _ plan: BulkFlowPlan, conversation: UploadConversation?, after wait: TimeSpan = .zero,
        ready: Int32, stop: BulkStop
    ) -> BulkThreads {
        let (port, sender, listener) = (port, sender, listener)
        let receiving = try? RealTimeThread(priority: Self.priority) {
            BulkReceiver(listener: listener, conversation: conversation, stop: stop).run()
        }
        let sending = try? RealTimeThread(priority: Self.priority) {
            var byte: UInt8 = 0
            _ = retryingInterrupted { read(ready, &byte, 1) }
            return BulkSender(
                socket: sender, writes: plan.writes, conversation: conversation, stop: stop
            ).run(to: Self.serverAddress, port: port, after: wait)
        }
        return BulkThreads(sending: sending, receiving: receiving)
    }

    private static func listen(_ port: UInt16) throws(SystemError) -> Int32 {
        let socket = try Descriptor.tcpSocket()
        guard var address = sockaddr_in(ipv4: serverAddress, port: port) else {
            preconditionFailure("\(serverAddress) is an address")
        }
        let number = socket.number
        let isListening = address.withSocketAddress { address, length in
            bind(number, address, length) == 0 && Glibc.listen(number, 1) == 0
        }
        guard isListening else { throw SystemError("listen on \(serverAddress)") }
        return try socket.duplicate()
    }

    private static func makeSender(_ controller: String) throws(SystemError) -> Int32 {
        let socket = try Descriptor.tcpSocket()
        let name = Array(controller.utf8)
        guard
            setsockopt(
                socket.number, Int32(IPPROTO_TCP), TCP_CONGESTION, name, socklen_t(name.count)) == 0
        else { throw SystemError(choosing) }
        return try socket.duplicate()
    }

    static let choosing = "choose a congestion control"
}

/// The threads of both ends of a bulk flow; `nil` for one that could not start.
struct BulkThreads: ~Copyable {
    let sending: RealTimeThread<[SenderState]>?
    let receiving: RealTimeThread<ByteCount>?

    /// Waits for both, once they are to stop.
    consuming func join() -> (states: [SenderState], received: ByteCount) {
        (sending?.join() ?? [], receiving?.join() ?? .zero)
    }
}
