import Foundation
import Glibc
import Synchronization
import TransferClient
import TransferEngine

/// What other threads hand to the host's thread, and the bell that wakes it.
final class HostDoor: CommandDoor {
    private let mailbox: CommandMailbox
    private let bell: DescriptorPipe
    private let left = Mutex(Left())

    private struct Left {
        var inputs: [EngineInput] = []
        var resolved: [(ConnectionID, [InternetAddress])] = []
        var isClosed = false
    }

    init(container: String, wallet: Wallet) throws(SystemError) {
        mailbox = CommandMailbox(container: container, wallet: wallet)
        bell = try DescriptorPipe()
        try bell.reading.doNotBlock()
        try bell.writing.doNotBlock()
    }

    var container: String { mailbox.container }
    var wallet: Wallet { mailbox.wallet }

    func submit(_ command: Command) {
        mailbox.submit(command)
        ring()
    }

    func keep(_ secret: Secret, as handle: CredentialHandle) {
        mailbox.keep(secret, as: handle)
        ring()
    }

    func tell(_ input: EngineInput) {
        left.withLock { $0.inputs.append(input) }
        ring()
    }

    func close() {
        left.withLock { $0.isClosed = true }
        ring()
    }

    /// Looks up the addresses of a server, on another thread, as that may take its time.
    func resolve(_ host: String, port: UInt16, for connection: ConnectionID) {
        Thread.detachNewThread {
            let addresses = InternetAddress.addresses(of: host, port: port)
            self.left.withLock { $0.resolved.append((connection, addresses)) }
            self.ring()
        }
    }

    // MARK: The host's thread

    var isClosed: Bool { left.withLock { $0.isClosed } }

    var wanted: pollfd { pollfd(fd: bell.reading.number, events: Int16(POLLIN), revents: 0) }

    func takeInputs() -> [EngineInput] {
        let others = left.withLock { left in
            defer { left.inputs = [] }
            return left.inputs
        }
        return others + mailbox.takeAll()
    }

    func takeResolved() -> [(ConnectionID, [InternetAddress])] {
        left.withLock { left in
            defer { left.resolved = [] }
            return left.resolved
        }
    }

    func silence() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(bell.reading.number, &bytes, bytes.count) > 0 {}
    }

    /// A full pipe has woken the thread already.
    private func ring() {
        var byte: UInt8 = 1
        _ = write(bell.writing.number, &byte, 1)
    }
}
