import TransferClient
import TransferEngine

/// Where what an app asks waits until the process gets to it: an app may ask from inside a
/// callback, and the engine is not to be entered twice.
final class CommandMailbox: TransferHost {
    private var inputs: [EngineInput] = []

    func submit(_ command: QueueCommand) { inputs.append(.command(command)) }

    func submit(_ command: OperationCommand) { inputs.append(.operation(command)) }

    func submit(_ command: EntryCommand) { inputs.append(.entry(command)) }

    func submit(_ command: BackgroundCommand) { inputs.append(.background(command)) }

    func takeAll() -> [EngineInput] {
        defer { inputs.removeAll(keepingCapacity: true) }
        return inputs
    }
}
