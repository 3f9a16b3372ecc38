import Quantities
import QueueStorage
import RunLog

/// The transfer daemon of a phone of a live run: its folder, and its process while the phone is on.
final class LiveDaemon {
    let phone: Int
    /// Its store and its downloads, whatever becomes of the process.
    let folder: String
    var process: PhoneProcess?
    private(set) var starts = 0
    /// Of all its starts: their names go on.
    private(set) var lastConnection: UInt32
    /// What it has said, after how many messages nothing of what follows from them is left to do.
    private var restsAfter: UInt64?

    /// Connections of all daemons of a run have names of their own.
    private static let connectionsOfPhone: UInt32 = 1_000_000

    init(ofPhone phone: Int, in folder: String) {
        self.phone = phone
        self.folder = folder
        lastConnection = UInt32(phone) * Self.connectionsOfPhone
    }

    /// Of its store, while the phone is off.
    func flipBits(_ count: UInt32, by chance: inout RandomStream) throws(SystemError) {
        try StoreDamage.flip(count, of: TaskStore.name, in: folder, by: &chance)
    }

    func started(_ process: consuming PhoneProcess) {
        starts += 1
        restsAfter = nil
        self.process = consume process
    }

    func tell(_ message: DaemonMessage) { process?.tell(message.line) }

    func rests(after count: UInt64) { restsAfter = count }

    /// Its connections are counted on after this one.
    func read(_ event: RunEvent) {
        guard case .connection(.opening(let name, _, _)) = event.fact else { return }
        lastConnection = max(lastConnection, name.number)
    }

    /// Whether it has nothing to do until it is told something; one that is dead has not.
    var isQuiet: Bool {
        switch process {
        case .some(let process): restsAfter == process.told
        case nil: true
        }
    }

    /// Its process has yet to hear some of what it was told.
    var isHeldUp: Bool {
        switch process {
        case .some(let process): process.isHeldUp
        case nil: false
        }
    }

    /// The numbers that its connections have.
    var connections: ClosedRange<UInt32> {
        let first = UInt32(phone) * Self.connectionsOfPhone
        return first...(first + Self.connectionsOfPhone - 1)
    }
}
