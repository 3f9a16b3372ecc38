import TransferClient
import TransferEngine

/// Where the queue's commands wait until the process gets to them: an app may call the queue from
/// inside a callback, and the engine is not to be entered twice.
final class CommandMailbox: TransferHost {
    private var commands: [QueueCommand] = []

    func submit(_ command: QueueCommand) { commands.append(command) }

    func takeAll() -> [QueueCommand] {
        defer { commands.removeAll(keepingCapacity: true) }
        return commands
    }
}
