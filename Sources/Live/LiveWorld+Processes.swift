import Foundation
import Recording
import RunLog
import RunPlan
import TransferHost

/// The processes on the phones, apps and daemons alike: started, listened to, and told.
extension LiveWorld {
    func start(
        _ command: ProcessCommand, _ orders: some ProcessOrders, at path: String
    ) throws(LiveError) -> PhoneProcess {
        do { try orders.write(to: path) } catch {
            throw .orders(path: path, reason: "\(error)")
        }
        do throws(SystemError) {
            let process = try PhoneProcess(command, orders: path)
            for descriptor in [process.events.number, process.errors.number] {
                try loop.watch(descriptor, as: .init(kind: .phoneProcess), for: .readable)
            }
            return process
        } catch {
            throw .system(error)
        }
    }

    /// Reads the lines of a process: events and words, in their order.
    func read<Word: ProcessWord>(
        _ lines: [[UInt8]], _ hear: (RunEvent) -> Void, _ take: (Word) -> Void
    ) throws(EventLines.Unreadable) {
        for line in lines {
            if let word = Word(line: line) {
                take(word)
                continue
            }
            let event = try EventLines.event(from: Data(line), number: 1)
            timeline.read(event, at: clock.now, into: &ownLog)
            hear(event)
            roll.read(event)
            merged.read(event)
        }
    }

    /// Hears the errors of all processes, and tells each what its pipe had no room for before.
    func attendToProcesses() {
        for app in apps { attend(to: &app.process) }
        for phone in phones {
            if let daemon = phone.daemon { attend(to: &daemon.process) }
        }
    }

    private func attend(to process: inout PhoneProcess?) {
        process?.sayOn()
        if process?.hearErrors() == false, let descriptor = process?.errors.number {
            loop.forget(descriptor)
        }
    }

    var isSomebodyHeldUp: Bool {
        apps.contains { $0.process?.isHeldUp == true }
            || phones.contains { $0.daemon?.process?.isHeldUp == true }
    }
}
