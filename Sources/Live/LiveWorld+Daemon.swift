import Device
import Foundation
import Glibc
import Recording
import RunLog
import RunPlan
import TransferEngine

/// The transfer daemons of the phones: each is a process that the power of its phone starts and
/// ends, and what it and the apps say to each other goes through here.
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
                    container: app.container.path)
            },
            lastConnection: daemon.lastConnection, network: phones[phone].network.standing,
            hasCharger: phones[phone].hasCharger, disk: phones[phone].disk?.place,
            folder: daemon.folder,
            flight: setup.flight("daemon-\(phone + 1)-start-\(daemon.starts + 1)"),
            startNanoseconds: clock.startNanoseconds)
        do { try orders.write(to: path) } catch {
            throw .orders(path: path, reason: "\(error)")
        }
        let number = UInt32(phone)
        do throws(SystemError) {
            let process = try PhoneProcess(setup.daemon, orders: path)
            try loop.watch(
                process.events.number, as: .init(kind: .daemonEvents, number: number),
                for: .readable)
            try loop.watch(
                process.errors.number, as: .init(kind: .daemonErrors, number: number),
                for: .readable)
            daemon.started(process)
        } catch {
            throw .system(error)
        }
    }

    /// Between two instructions; what it had said to others and they had not heard is lost.
    func endDaemon(of phone: Int) throws(LiveError) {
        guard let daemon = phones[phone].daemon, let exit = daemon.process?.kill() else { return }
        let words = try hearEvents(of: daemon).words
        for word in words {
            if case .connected = word { take(word, of: daemon) }
        }
        // It may have been faster.
        guard exit == .signal(SIGKILL) else { throw brokeDown(daemon, exit) }
        daemon.process = nil
        roll.daemonDied(daemon.connections)
    }

    func hearDaemons() throws(LiveError) {
        for phone in phones {
            guard let daemon = phone.daemon else { continue }
            let (words, isOver) = try hearEvents(of: daemon)
            for word in words { take(word, of: daemon) }
            // Nobody has killed it.
            if isOver, let exit = daemon.process?.kill() { throw brokeDown(daemon, exit) }
        }
    }

    /// What it has to say that is no event is given back.
    private func hearEvents(
        of daemon: LiveDaemon
    ) throws(LiveError) -> (words: [DaemonWord], isOver: Bool) {
        guard let hearing = daemon.process?.hear() else { return ([], false) }
        var words: [DaemonWord] = []
        for line in hearing.lines {
            if let word = DaemonWord(line: line) {
                words.append(word)
                continue
            }
            let event: RunEvent
            do throws(EventLines.Unreadable) {
                event = try EventLines.event(from: Data(line), number: 1)
            } catch {
                throw .unreadableWord(phone: daemon.phone, reason: error.reason)
            }
            timeline.read(event, at: clock.now, into: &ownLog)
            daemon.read(event)
            roll.read(event)
            merged.read(event)
        }
        return (words, hearing.isOver)
    }

    private func brokeDown(_ daemon: LiveDaemon, _ exit: PhoneProcess.Exit) -> LiveError {
        _ = daemon.process?.hearErrors()
        let words = [exit.description, daemon.process?.complaint ?? ""].filter { !$0.isEmpty }
        daemon.process = nil
        return .daemonBrokeDown(phone: daemon.phone, how: words.joined(separator: ": "))
    }

    private func take(_ word: DaemonWord, of daemon: LiveDaemon) {
        switch word {
        case .connected(let number, let client):
            roll.stands(ConnectionName(launch: 0, number: number), from: client)
        case .abandoned(let number): roll.abandoned(ConnectionName(launch: 0, number: number))
        case .tells(let place, let launch, let news):
            // What was for an earlier launch is lost with it.
            let app = app(Int(place), on: daemon.phone)
            if app.lastLaunch == launch { app.tell(news) }
        case .wakes(let place):
            phones[daemon.phone].inputs.append(.happens(.appWoken(Int(place))))
        case .rests(let count): daemon.rests(after: count)
        }
    }

    // MARK: What it is told

    /// What an app has said before is heard before.
    func tellDaemon(that app: LiveApp, is stage: DaemonClientStage) {
        phones[app.phone].daemon?
            .tell(.app(UInt16(app.place), stage, launch: app.lastLaunch))
    }

    func asked(_ request: DaemonRequest, by app: LiveApp) {
        phones[app.phone].daemon?.tell(.asked(by: UInt16(app.place), request))
    }

    /// Whether nothing is left to be done by a phone's daemon.
    func isDaemonQuiet(of phone: LivePhone) -> Bool {
        guard let daemon = phone.daemon else { return true }
        return !phone.isStarting && phone.inputs.isEmpty && daemon.isQuiet
    }
}
