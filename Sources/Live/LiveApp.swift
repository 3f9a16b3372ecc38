import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine
import TransferHost

/// An app of a live run: its installed files, and its process while it runs.
final class LiveApp {
    /// Its place among all apps of the run, counted from 0.
    let index: Int
    /// Its place on its phone.
    let place: Int
    let phone: Int
    /// How many items the plan gives it.
    let counts: ItemCounts
    var process: PhoneProcess?
    var container: AppContainer
    var files: LocalFiles
    var quiet: QuietWatch
    /// Launches since its data was last cleared.
    var launches: UInt32 = 0
    /// Its latest launch, counted through the run.
    var lastLaunch: UInt32 = 0
    /// How many items are counted before its own. Its own began after its data was last cleared.
    var before: ItemCounts
    /// Where its numbers go on after its store was set aside.
    var later: [AppNumbers.Later] = []
    /// A suspended process hears nothing.
    var isSuspended = false
    /// Whether the process knows that it is in the background.
    var isBehind = false
    /// Whether its phone gives it no network, to save its battery.
    var isWithoutNetwork = false
    private var unheard: NetworkOrder?
    private var unheardNews: [DaemonNews] = []
    /// How many messages it has acted on.
    var hasHeard: UInt64?
    /// How often its data was cleared.
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

    /// Its number in the log; `nil` for the first app.
    var name: UInt16? { RunNames.number(ofPlace: index) }

    func asks(_ command: AppPlan.Command) {
        if !isSuspended { tell(PhoneMessage.asks(command)) }
    }

    func tell(_ message: PhoneMessage) { process?.tell(message.line) }

    /// Passes on news of the transfer daemon, which wait while the app is suspended.
    func tell(_ news: DaemonNews) {
        if isSuspended { unheardNews.append(news) } else { tell(PhoneMessage.daemon(news)) }
    }

    func tell(_ order: NetworkOrder) {
        guard isSuspended else { return tell(PhoneMessage.network(order)) }
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

    /// Whether it has acted on everything that it was told.
    var isSettled: Bool { process == nil || isSuspended || process?.told == hasHeard }

    /// Forgets a process that is gone.
    func bury() {
        quiet.appEnded()
        unheard = nil
        unheardNews = []
        hasHeard = nil
        isSuspended = false
        process = nil
    }
}
