import Synchronization
public import TransferEngine

/// Commands that wait for the host: an app submits them from any thread, or inside a callback, and
/// the engine must not be re-entered.
public final class CommandMailbox: TransferHost {
    public let container: String
    private let commands = Mutex<[Command]>([])

    /// Makes an empty mailbox for an app with this container.
    public init(container: String) { self.container = container }

    /// Keeps a command until the host takes it.
    public func submit(_ command: Command) { commands.withLock { $0.append(command) } }

    /// Removes and returns all commands, oldest first.
    public func takeAll() -> [EngineInput] {
        commands.withLock { commands in
            defer { commands.removeAll(keepingCapacity: true) }
            return commands.map { .command($0) }
        }
    }
}
