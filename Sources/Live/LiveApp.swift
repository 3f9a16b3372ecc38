import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine

/// An app of a live run: what is installed of it, and its process while it has one.
final class LiveApp {
    /// Counted through the run, from 0.
    let index: Int
    /// Its place on its phone.
    let place: Int
    let phone: Int
    /// How many items it has in the plan.
    let counts: ItemCounts
    var process: PhoneProcess?
    var container: AppContainer
    var files: LocalFiles
    var quiet: QuietWatch
    /// Since its data was last cleared.
    var launches: UInt32 = 0
    /// The latest, counted through the run.
    var lastLaunch: UInt32 = 0
    /// How many items are counted before those that it has begun since its data was last cleared.
    var before: ItemCounts
    /// Where it has counted on since its store was set aside.
    var later: [AppNumbers.Later] = []
    /// A process that stands still hears nothing.
    var isSuspended = false
    private var unheard: NetworkOrder?
    private var unheardNews: [DaemonNews] = []
    /// After how many messages it has done what follows from them.
    var hasHeard: UInt64?
    /// So often its data was cleared.
    var clearings: UInt32 = 0

    init(
        _ entry: AppRoll.Entry, index: Int, before: ItemCounts, in container: AppContainer
    ) throws(SystemError) {
        self.index = index
        place = entry.place
        phone = entry.device
        counts = entry.plan.counts
        self.before = before
        self.container = container
        files = LocalFiles(entry.plan.files)
        quiet = QuietWatch(entry.plan.app, entry.plan.sessions, before: before)
        for file in entry.plan.files { try container.write(file) }
    }

    /// Whose events its own are.
    var name: UInt16? { RunNames.number(ofPlace: index) }

    func asks(_ command: AppPlan.Command) {
        if !isSuspended { tell(PhoneMessage.asks(command)) }
    }

    func tell(_ message: PhoneMessage) { process?.tell(message.line) }

    /// What the transfer daemon has for it; while it stands still that waits.
    func tell(_ news: DaemonNews) {
        if isSuspended { unheardNews.append(news) } else { tell(PhoneMessage.daemon(news)) }
    }

    func tell(_ order: NetworkOrder) {
        guard process != nil else { return }
        guard isSuspended else {
            tell(PhoneMessage.network(order))
            return
        }
        if unheard == nil { unheard = order } else { unheard?.merge(order) }
    }

    func suspend() {
        isSuspended = true
        process?.stop()
    }

    func goOn() {
        if let order = unheard { tell(PhoneMessage.network(order)) }
        unheard = nil
        isSuspended = false
        for news in unheardNews { tell(news) }
        unheardNews = []
        process?.goOn()
    }

    /// Its process has yet to hear some of what it was told.
    var isHeldUp: Bool {
        switch process {
        case .some(let process): process.isHeldUp
        case nil: false
        }
    }

    /// Whether it has done all that follows from what it was told.
    var isSettled: Bool {
        switch process {
        case .some(let process): isSuspended || hasHeard == process.told
        case nil: true
        }
    }

    /// The process is gone.
    func bury() {
        quiet.appEnded()
        unheard = nil
        unheardNews = []
        hasHeard = nil
        isSuspended = false
        process = nil
    }
}
