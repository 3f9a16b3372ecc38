import Quantities
import RunLog

/// The transfer daemon of a phone of a live run: its folder, and its process while the phone is on.
final class LiveDaemon {
    let phone: Int
    /// Its store and its downloads, which outlive the process.
    let folder: String
    var process: PhoneProcess?
    private(set) var starts = 0
    /// The last connection of all its starts: their numbers go on.
    private(set) var lastConnection: UInt32
    /// How many messages it had acted on when it last said that it rests.
    private var restsAfter: UInt64?

    /// The connections of each daemon of a run have numbers of their own.
    private static let connectionsOfPhone: UInt32 = 1_000_000

    init(ofPhone phone: Int, in folder: String) {
        self.phone = phone
        self.folder = folder
        lastConnection = UInt32(phone) * Self.connectionsOfPhone
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

    /// Whether it is idle until it is told something; a dead daemon is.
    var isQuiet: Bool { process == nil || process?.told == restsAfter }

    /// The numbers that its connections have.
    var connections: ClosedRange<UInt32> {
        let first = UInt32(phone) * Self.connectionsOfPhone
        return first...(first + Self.connectionsOfPhone - 1)
    }
}
