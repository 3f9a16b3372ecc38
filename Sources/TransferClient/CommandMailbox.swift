import Synchronization
public import TransferEngine

/// Where what an app asks waits until its host gets to it: an app asks from any thread, or from
/// inside a callback, and the engine is not to be entered twice.
public final class CommandMailbox: TransferHost {
    private let inputs = Mutex<[EngineInput]>([])

    public init() {}

    /// What is asked of the queue.
    public func submit(_ command: QueueCommand) { put(.command(command)) }

    /// What is asked of the upload operations.
    public func submit(_ command: OperationCommand) { put(.operation(command)) }

    /// What is asked of the resumable transfers.
    public func submit(_ command: EntryCommand) { put(.entry(command)) }

    /// What is asked of the background sessions.
    public func submit(_ command: BackgroundCommand) { put(.background(command)) }

    /// In the order in which they were asked for.
    public func takeAll() -> [EngineInput] {
        inputs.withLock { inputs in
            defer { inputs.removeAll(keepingCapacity: true) }
            return inputs
        }
    }

    private func put(_ input: EngineInput) { inputs.withLock { $0.append(input) } }
}
