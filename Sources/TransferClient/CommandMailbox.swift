import Synchronization
public import TransferEngine

/// Commands that wait for the host: an app submits them from any thread, or inside a callback, and
/// the engine must not be re-entered.
public final class CommandMailbox: CommandDoor {
    public let container: String
    /// The app's secrets, which outlive the process in a keychain of the host.
    public let wallet: Wallet
    private let inputs = Mutex<[EngineInput]>([])

    /// Makes an empty mailbox for an app with this container.
    public init(container: String, wallet: Wallet = Wallet()) {
        self.container = container
        self.wallet = wallet
    }

    /// Keeps a command until the host takes it.
    public func submit(_ command: Command) { inputs.withLock { $0.append(.command(command)) } }

    /// Keeps a secret, and tells the engine that there is one.
    public func keep(_ secret: Secret, as handle: CredentialHandle) {
        let news = wallet.keep(secret, as: handle)
        inputs.withLock { $0.append(.credential(handle, news)) }
    }

    /// Removes and returns all inputs for the engine, oldest first.
    public func takeAll() -> [EngineInput] {
        inputs.withLock { inputs in
            defer { inputs.removeAll(keepingCapacity: true) }
            return inputs
        }
    }
}
