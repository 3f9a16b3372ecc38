import Device
import Foundation
import Glibc
import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine
import TransferHost

/// The apps' processes: started, listened to, and buried.
extension LiveWorld {
    static func install(
        _ roll: AppRoll, of plan: RunPlan, in directory: borrowing RunDirectory
    ) throws(SystemError) -> [LiveApp] {
        var before = ItemCounts()
        var apps: [LiveApp] = []
        for (index, entry) in roll.entries.enumerated() {
            apps.append(
                try LiveApp(
                    entry, index: index, before: before,
                    in: directory.container(ofApp: index, onPhone: entry.device)))
            before += entry.plan.counts
        }
        return apps
    }

    func launch(_ app: LiveApp, inBackground: Bool) throws(LiveError) {
        app.launches += 1
        app.isBehind = inBackground
        app.quiet.launched(app.launches)
        let path = directory.orders(forLaunch: app.lastLaunch)
        let orders = AppOrders(
            scenario: setup.scenario, seed: setup.plan.seed, app: app.index,
            launch: app.lastLaunch, ownLaunch: app.launches, before: app.before,
            counted: counted, later: app.later,
            isInBackground: inBackground,
            network: inBackground
                ? phones[app.phone].network.standingBehind : phones[app.phone].network.standing,
            disk: phones[app.phone].disk?.place, container: app.container.path,
            keychain: directory.keychain(ofApp: app.index),
            flight: setup.flight("app-\(app.index + 1)-launch-\(app.lastLaunch)"),
            security: security, serverPort: server.port, deadPort: deadPort.number,
            startNanoseconds: clock.startNanoseconds)
        app.process = try start(setup.app, orders, at: path)
    }

    func hearApps() throws(LiveError) {
        for app in apps {
            // A process that ended without being killed has crashed.
            guard try hearLines(of: app), let exit = app.process?.kill() else { continue }
            crashed(app, exit)
        }
    }

    func crashed(_ app: LiveApp, _ exit: PhoneProcess.Exit) {
        let how = app.process?.explain(exit) ?? exit.description
        ownLog.record(
            .device(.appCrashed(launch: app.lastLaunch, how: how)), at: clock.now, app: app.name)
        bury(app)
        tellDaemon(that: app, is: .dead)
        guard phones[app.phone].disk?.mayRefuse == true else { return hasCrashed = true }
        // The app met the disk trouble of the plan and did not come up: its first launch is still
        // to come.
        app.launches -= 1
        phones[app.phone].inputs.append(.happens(.crash(app.place)))
    }

    func bury(_ app: LiveApp) {
        roll.appDied(launch: app.lastLaunch)
        app.bury()
    }

    /// Returns whether the app says no more.
    @discardableResult
    func hearLines(of app: LiveApp) throws(LiveError) -> Bool {
        guard let hearing = app.process?.hear() else { return false }
        do throws(EventLines.Unreadable) {
            try read(hearing.lines, { app.quiet.read($0) }, { take($0, of: app) })
        } catch {
            throw .unreadableEvent(launch: app.lastLaunch, reason: error.reason)
        }
        return hearing.isOver
    }

    private func take(_ request: AppRequest, of app: LiveApp) {
        let connection = { ConnectionName(launch: app.lastLaunch, number: $0) }
        switch request {
        case .beginTask(let task): phones[app.phone].inputs.append(.beginTask(app.place, task))
        case .endTask(let task): phones[app.phone].inputs.append(.endTask(app.place, task))
        case .endFetch(let result): phones[app.phone].inputs.append(.endFetch(app.place, result))
        case .connected(let number, let client): roll.stands(connection(number), from: client)
        case .countsOn(let sessions, let transfers):
            app.later.append(
                .init(
                    sessionsKept: UInt64(sessions), transfersKept: UInt64(transfers),
                    before: counted))
            counted.addSessions(of: app.counts)
        case .abandoned(let number, let client): roll.abandoned(connection(number), from: client)
        case .daemon(let request): asked(request, by: app)
        case .hasHeard(let count): app.hasHeard = count
        }
    }
}
