import Device
import Foundation
import Glibc
import Recording
import RunLog
import RunPlan
import TransferEngine
import TransferHost

/// The phones' transfer daemons. Each is a process that lives while its phone has power, and its
/// messages to and from apps pass through here.
extension LiveWorld {
    func startDaemon(of phone: Int) throws(LiveError) {
        guard let daemon = phones[phone].daemon else { return }
        let path = directory.orders(forDaemonOf: phone, start: daemon.starts)
        let orders = DaemonOrders(
            scenario: setup.scenario, seed: setup.plan.seed, phone: phone,
            apps: phones[phone].apps.map { index in
                let app = apps[index]
                return DaemonOrders.App(
                    name: app.name, tasksBefore: app.before[.background], clearings: app.clearings,
                    container: app.container.path,
                    keychain: directory.keychain(ofApp: index))
            },
            lastConnection: daemon.lastConnection, network: phones[phone].network.standingBehind,
            hasCharger: phones[phone].hasCharger, disk: phones[phone].disk?.place,
            folder: daemon.folder,
            flight: setup.flight("daemon-\(phone + 1)-start-\(daemon.starts + 1)"),
            security: security, startNanoseconds: clock.startNanoseconds)
        daemon.started(try start(setup.daemon, orders, at: path))
    }

    /// Kills the daemon. Messages that others had not heard yet are lost.
    func endDaemon(of phone: Int) throws(LiveError) {
        guard let daemon = phones[phone].daemon, let exit = daemon.process?.kill() else { return }
        _ = try hearLines(of: daemon) { word in
            if case .connected = word { take(word, of: daemon) }
        }
        // The daemon may have crashed before the kill.
        guard exit == .signal(SIGKILL) else { throw brokeDown(daemon, exit) }
        daemon.process = nil
        roll.daemonDied(daemon.connections)
    }

    func hearDaemons() throws(LiveError) {
        for phone in phones {
            guard let daemon = phone.daemon else { continue }
            let isOver = try hearLines(of: daemon) { take($0, of: daemon) }
            // A daemon that ends unkilled has crashed.
            if isOver, let exit = daemon.process?.kill() { throw brokeDown(daemon, exit) }
        }
    }

    /// Returns whether the daemon says no more.
    private func hearLines(
        of daemon: LiveDaemon, take: (DaemonWord) -> Void
    ) throws(LiveError) -> Bool {
        guard let hearing = daemon.process?.hear() else { return false }
        do throws(EventLines.Unreadable) {
            try read(hearing.lines, { daemon.read($0) }, take)
        } catch {
            throw .unreadableWord(phone: daemon.phone, reason: error.reason)
        }
        return hearing.isOver
    }

    private func brokeDown(_ daemon: LiveDaemon, _ exit: PhoneProcess.Exit) -> LiveError {
        let how = daemon.process?.explain(exit) ?? exit.description
        daemon.process = nil
        return .daemonBrokeDown(phone: daemon.phone, how: how)
    }

    private func take(_ word: DaemonWord, of daemon: LiveDaemon) {
        switch word {
        case .connected(let number, let client):
            roll.stands(ConnectionName(launch: 0, number: number), from: client)
        case .abandoned(let number, let client):
            roll.abandoned(ConnectionName(launch: 0, number: number), from: client)
        case .tells(let place, let launch, let news):
            // News for an earlier launch is lost with that launch.
            let app = app(Int(place), on: daemon.phone)
            if app.lastLaunch == launch { app.tell(news) }
        case .wakes(let place):
            phones[daemon.phone].inputs.append(.happens(.appWoken(Int(place))))
        case .rests(let count): daemon.rests(after: count)
        }
    }

    // MARK: What it is told

    /// Tells the daemon of an app's stage, after everything that the app said before.
    func tellDaemon(that app: LiveApp, is stage: DaemonClientStage) {
        phones[app.phone].daemon?
            .tell(.app(UInt16(app.place), stage, launch: app.lastLaunch))
    }

    func asked(_ request: DaemonRequest, by app: LiveApp) {
        phones[app.phone].daemon?.tell(.asked(by: UInt16(app.place), request))
    }

    /// Whether a phone's daemon is idle.
    func isDaemonQuiet(of phone: LivePhone) -> Bool {
        guard let daemon = phone.daemon else { return true }
        return !phone.isStarting && phone.inputs.isEmpty && daemon.isQuiet
    }
}
