import Synchronization
public import TransferEngine

/// Where what an app asks waits until its host gets to it: an app asks from any thread, or from
/// inside a callback, and the engine is not to be entered twice.
public final class CommandMailbox: TransferHost {
    private let commands = Mutex<[Command]>([])

    public init() {}

    /// Keeps what the app asks until the host takes it.
    public func submit(_ command: Command) { commands.withLock { $0.append(command) } }

    /// What was asked since the last call, in its order.
    public func takeAll() -> [EngineInput] {
        commands.withLock { commands in
            defer { commands.removeAll(keepingCapacity: true) }
            return commands.map { .command($0) }
        }
    }
}
