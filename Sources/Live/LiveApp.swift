import Quantities
import Recording
import RunLog
import RunPlan

/// An app of a live run: what is installed of it, and its process while it has one.
final class LiveApp {
    /// Counted through the run, from 0.
    let index: Int
    /// Its place on its phone.
    let place: Int
    let phone: Int
    let sessions: Int
    var process: PhoneProcess?
    var container: AppContainer
    var files: LocalFiles
    var quiet: QuietWatch
    /// Since its data was last cleared.
    var launches: UInt32 = 0
    /// The latest, counted through the run.
    var lastLaunch: UInt32 = 0
    /// How many are counted before those that it has added since its data was last cleared.
    var sessionsBefore: UInt64
    /// Where it has counted on since its store was set aside.
    var later: [AppNumbers.Later] = []
    /// A process that stands still hears nothing.
    var isSuspended = false
    private var unheard: NetworkOrder?

    init(
        _ entry: AppRoll.Entry, index: Int, sessionsBefore: UInt64, in container: AppContainer
    ) throws(SystemError) {
        self.index = index
        place = entry.place
        phone = entry.device
        sessions = entry.plan.sessions.count
        self.sessionsBefore = sessionsBefore
        self.container = container
        files = LocalFiles(entry.plan.files)
        quiet = QuietWatch(
            plannedSessions: sessions, app: entry.plan.app, sessionsBefore: sessionsBefore)
        for file in entry.plan.files { try container.write(file) }
    }

    /// Whose events its own are.
    var name: UInt16? { index == 0 ? nil : UInt16(index + 1) }

    func asks(_ command: AppPlan.Command) {
        if !isSuspended { process?.tell(.asks(command)) }
    }

    func tell(_ order: NetworkOrder) {
        guard process != nil else { return }
        guard isSuspended else {
            process?.tell(.network(order))
            return
        }
        if unheard == nil { unheard = order } else { unheard?.merge(order) }
    }

    func suspend() {
        isSuspended = true
        process?.stop()
    }

    func goOn() {
        if let order = unheard { process?.tell(.network(order)) }
        unheard = nil
        isSuspended = false
        process?.goOn()
    }

    /// The process is gone.
    func bury() {
        quiet.appEnded()
        unheard = nil
        isSuspended = false
        process = nil
    }
}
