import Device
import Foundation
import Glibc
import Quantities
import Recording
import RunLog
import RunPlan
import TransferEngine

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
        app.quiet.launched(app.launches)
        let path = directory.orders(forLaunch: app.lastLaunch)
        let orders = AppOrders(
            scenario: setup.scenario, seed: setup.plan.seed, app: app.index,
            launch: app.lastLaunch, ownLaunch: app.launches, before: app.before,
            sessionsCounted: counted[.queue], later: app.later,
            isInBackground: inBackground, network: phones[app.phone].network.standing,
            disk: phones[app.phone].disk?.place, container: app.container.path,
            flight: setup.flight("app-\(app.index + 1)-launch-\(app.lastLaunch)"),
            serverPort: server.port, startNanoseconds: clock.startNanoseconds)
        do { try orders.write(to: path) } catch {
            throw .orders(path: path, reason: "\(error)")
        }
        let number = UInt32(app.index)
        do throws(SystemError) {
            let process = try PhoneProcess(setup.app, orders: path)
            try loop.watch(
                process.events.number, as: .init(kind: .appEvents, number: number), for: .readable)
            try loop.watch(
                process.errors.number, as: .init(kind: .appErrors, number: number), for: .readable)
            app.process = consume process
        } catch {
            throw .system(error)
        }
    }

    func hearApps() throws(LiveError) {
        for app in apps {
            // One that was not killed and says no more has ended by itself.
            guard try hearLines(of: app), let exit = app.process?.kill() else { continue }
            crashed(app, exit)
        }
    }

    func crashed(_ app: LiveApp, _ exit: PhoneProcess.Exit) {
        _ = app.process?.hearErrors()
        let words = [exit.description, app.process?.complaint ?? ""].filter { !$0.isEmpty }
        ownLog.record(
            .device(.appCrashed(launch: app.lastLaunch, how: words.joined(separator: ": "))),
            at: clock.now, app: app.name)
        bury(app)
        tellDaemon(that: app, is: .dead)
        guard phones[app.phone].disk?.mayRefuse == true else { return hasCrashed = true }
        // It has only met what the plan did to its disk, and has not come up: what it does at its
        // first launch is still to be done.
        app.launches -= 1
        phones[app.phone].inputs.append(.happens(.crash(app.place)))
    }

    /// What a process had no room for when it was told.
    func sayOnToAll() {
        for app in apps { app.process?.sayOn() }
        for phone in phones { phone.daemon?.process?.sayOn() }
    }

    var isSomebodyHeldUp: Bool {
        apps.contains { $0.isHeldUp } || phones.contains { $0.daemon?.isHeldUp == true }
    }

    func bury(_ app: LiveApp) {
        roll.appDied(launch: app.lastLaunch)
        app.bury()
    }

    /// Whether the app has no more to say.
    @discardableResult
    func hearLines(of app: LiveApp) throws(LiveError) -> Bool {
        guard let hearing = app.process?.hear() else { return false }
        for line in hearing.lines {
            if let request = AppRequest(line: line) {
                take(request, of: app)
                continue
            }
            let event: RunEvent
            do throws(EventLines.Unreadable) {
                event = try EventLines.event(from: Data(line), number: 1)
            } catch {
                throw .unreadableEvent(launch: app.lastLaunch, reason: error.reason)
            }
            timeline.read(event, at: clock.now, into: &ownLog)
            app.quiet.read(event)
            roll.read(event)
            merged.read(event)
        }
        return hearing.isOver
    }

    private func take(_ request: AppRequest, of app: LiveApp) {
        let connection = { ConnectionName(launch: app.lastLaunch, number: $0) }
        switch request {
        case .beginTask(let task): phones[app.phone].inputs.append(.beginTask(app.place, task))
        case .endTask(let task): phones[app.phone].inputs.append(.endTask(app.place, task))
        case .connected(let number, let client): roll.stands(connection(number), from: client)
        case .countsOn(let sessions, let transfers):
            app.later.append(
                .init(
                    sessionsKept: UInt64(sessions), transfersKept: UInt64(transfers),
                    before: counted[.queue]))
            counted[.queue] += app.counts[.queue]
        case .abandoned(let number): roll.abandoned(connection(number))
        case .daemon(let request): asked(request, by: app)
        case .hasHeard(let count): app.hasHeard = count
        }
    }
}
