import Synchronization
package import TransferEngine

/// Where what an app asks waits until its host gets to it: an app asks from any thread, or from
/// inside a callback, and the engine is not to be entered twice.
package final class CommandMailbox: TransferHost {
    private let inputs = Mutex<[EngineInput]>([])

    package init() {}

    package func submit(_ command: QueueCommand) { put(.command(command)) }

    package func submit(_ command: OperationCommand) { put(.operation(command)) }

    package func submit(_ command: EntryCommand) { put(.entry(command)) }

    package func submit(_ command: BackgroundCommand) { put(.background(command)) }

    /// In the order in which they were asked for.
    package func takeAll() -> [EngineInput] {
        inputs.withLock { inputs in
            defer { inputs.removeAll(keepingCapacity: true) }
            return inputs
        }
    }

    private func put(_ input: EngineInput) { inputs.withLock { $0.append(input) } }
}
