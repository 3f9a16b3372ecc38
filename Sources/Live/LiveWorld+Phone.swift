import Device
import Facts
import Foundation
import Glibc
import Quantities
import QueueStorage
import Recording
import RunLog
import RunPlan
import TransferEngine
import TransferHost

/// The phones of a live run. Their systems are the models of the simulation, but act on real
/// processes.
extension LiveWorld {
    func happens(_ event: DeviceEvent, to phone: Int) throws(LiveError) {
        if event.isByHand, phones[phone].network.isDozing {
            networkHappens(.doze(false), to: phone)
        }
        phones[phone].inputs.append(.happens(event))
        try work(on: phone)
        // The model has no output for an app that does not run.
        if case .forceQuit(let place) = event, app(place, on: phone).process == nil {
            tellDaemon(that: app(place, on: phone), is: .thrownOut)
        }
    }

    func networkHappens(_ input: DeviceNetwork.Input, to phone: Int) {
        let wasSaving = phones[phone].network.isSavingBattery
        let input = input.whileCharged(phones[phone].hasCharger)
        let all = phones[phone].apps
        let hearers = all.filter { !apps[$0].isWithoutNetwork }
        let order = phones[phone].network.take(
            input, for: hearers.count < all.count ? hearers.map { apps[$0].place } : nil,
            at: clock.now, into: &ownLog)
        let network = phones[phone].network
        if let order {
            // Logged before it is done: no app can be faster than the log.
            for app in hearers { apps[app].tell(order) }
        }
        for app in all { giveNetwork(to: apps[app], behind: apps[app].isBehind) }
        if network.isSavingBattery || wasSaving {
            phones[phone].daemon?.tell(.network(network.orderBehind))
        } else if let order {
            phones[phone].daemon?.tell(.network(order))
        }
    }

    /// Gives an app the network or takes it away, as the battery saver has it.
    private func giveNetwork(to app: LiveApp, behind isBehind: Bool) {
        let network = phones[app.phone].network
        let isWithout = network.isSavingBattery && isBehind
        guard isWithout != app.isWithoutNetwork else { return }
        app.isWithoutNetwork = isWithout
        network.recordPath(ofApp: app.place, isBehind: isBehind, at: clock.now, into: &ownLog)
        app.tell(
            isWithout
                ? network.orderBehind : NetworkOrder(acts: [], standing: network.standing))
    }

    func workOnPhones() throws(LiveError) {
        for phone in phones.indices {
            if let due = phones[phone].network.deadline, due <= clock.now {
                networkHappens(.wake, to: phone)
            }
            if let due = phones[phone].deviceDeadline, due <= clock.now {
                phones[phone].inputs.append(.wake)
            }
            try work(on: phone)
        }
    }

    /// Feeds the model until no input is left.
    private func work(on phone: Int) throws(LiveError) {
        while !phones[phone].inputs.isEmpty {
            let input = phones[phone].inputs.removeFirst()
            var outputs: [DeviceOutput] = []
            phones[phone].deviceDeadline = phones[phone].device.handle(
                input, at: clock.now, into: &outputs)
            for output in outputs { try carryOut(output, on: phone) }
        }
    }

    private func carryOut(_ output: DeviceOutput, on phone: Int) throws(LiveError) {
        switch output {
        case .launch(let place, let inBackground):
            let app = app(place, on: phone)
            lastLaunch += 1
            app.lastLaunch = lastLaunch
            record(output, of: phone)
            giveNetwork(to: app, behind: inBackground)
            try launch(app, inBackground: inBackground)
            tellDaemon(that: app, is: inBackground ? .behind : .inFront)
        case .enter(let place, let state, _):
            try enter(state, app(place, on: phone), output, of: phone)
        case .expire(let place, let tasks, _):
            record(output, of: phone)
            for task in tasks {
                app(place, on: phone).tell(PhoneMessage.backgroundTimeExpires(task))
            }
        case .fetch(let place): app(place, on: phone).tell(PhoneMessage.fetch)
        case .end(let place, let death):
            try kill(app(place, on: phone), death, output, of: phone)
        case .clearData(let place):
            record(output, of: phone)
            try clearData(of: app(place, on: phone))
        case .flipBits(let place, let count):
            record(output, of: phone)
            let folder = app(place, on: phone).container.path
            try flipBits(count, of: QueueStore.name, in: folder, phone)
        case .flipDaemonBits(let count):
            guard let daemon = phones[phone].daemon else { break }
            let fact = DaemonFact.bitsFlipped(
                count: count, device: RunNames.number(ofPlace: phone))
            ownLog.record(.daemon(fact), at: clock.now)
            try flipBits(count, of: TaskStore.name, in: daemon.folder, phone)
        case .moveContainer(let place, let version):
            record(output, of: phone)
            do throws(SystemError) {
                try app(place, on: phone).container.move(to: version)
            } catch {
                throw .system(error)
            }
        case .power(let change):
            record(output, of: phone)
            switch change {
            case .lost, .restarting:
                phones[phone].isStarting = change == .restarting
                try endDaemon(of: phone)
                networkHappens(.power(on: false), to: phone)
            case .up:
                phones[phone].isStarting = false
                networkHappens(.power(on: true), to: phone)
                try startDaemon(of: phone)
            case .back: phones[phone].isStarting = true
            }
        case .disk(let condition, _):
            record(output, of: phone)
            do throws(SystemError) { try phones[phone].disk?.set(condition) } catch {
                throw .system(error)
            }
        case .note(let fact, _):
            record(output, of: phone)
            guard case .charger(let isConnected, _) = fact else { break }
            phones[phone].hasCharger = isConnected
            phones[phone].daemon?.tell(.charger(isConnected: isConnected))
            if isConnected, phones[phone].network.isSavingBattery {
                networkHappens(.batterySaver(false), to: phone)
            }
        }
    }

    private func flipBits(
        _ count: UInt32, of store: String, in folder: String, _ phone: Int
    ) throws(LiveError) {
        do throws(SystemError) {
            try StoreDamage.flip(count, of: store, in: folder, by: &phones[phone].flips)
        } catch {
            throw .system(error)
        }
    }

    func app(_ place: Int, on phone: Int) -> LiveApp {
        apps[phones[phone].apps.lowerBound + place]
    }

    private func record(_ output: DeviceOutput, of phone: Int) {
        phones[phone].recorder.record(output, launch: lastLaunch, at: clock.now, into: &ownLog)
    }

    // MARK: An app's life

    private func enter(
        _ state: AppState, _ app: LiveApp, _ output: DeviceOutput, of phone: Int
    ) throws(LiveError) {
        guard state != .suspended else {
            app.suspend()
            // Everything that the app said before its suspension comes first.
            try hearLines(of: app)
            tellDaemon(that: app, is: .suspended)
            return record(output, of: phone)
        }
        record(output, of: phone)
        switch state {
        case .active:
            app.isBehind = false
            app.tell(PhoneMessage.enteredForeground)
        case .background where !app.isBehind:
            app.isBehind = true
            app.tell(PhoneMessage.enteredBackground)
        case .background, .inactive, .suspended, .notRunning: break
        }
        app.goOn()
        giveNetwork(to: app, behind: app.isBehind)
        tellDaemon(that: app, is: DaemonClientStage(state))
    }

    private func clearData(of app: LiveApp) throws(LiveError) {
        app.launches = 0
        app.before = counted
        app.later = []
        counted += app.counts
        app.clearings += 1
        tellDaemon(that: app, is: .cleared)
        phones[app.phone].daemon?
            .tell(.renumber(UInt16(app.place), tasksBefore: app.before[.background]))
        app.quiet.dataCleared(before: app.before)
        do throws(SystemError) {
            try app.container.clear()
            // The user's files are not the app's data.
            for case .stands(let path, let version, let size) in app.files.facts {
                try app.container.write(
                    PlannedFile(path: path, version: version, size: size),
                    samples: app.files[path]?.samples)
            }
        } catch {
            throw .system(error)
        }
    }

    private func kill(
        _ app: LiveApp, _ death: ProcessEnd?, _ output: DeviceOutput, of phone: Int
    ) throws(LiveError) {
        guard let exit = app.process?.kill() else { return }
        try hearLines(of: app)
        // The app may have crashed before the kill.
        guard exit == .signal(SIGKILL) else { return crashed(app, exit) }
        record(output, of: phone)
        bury(app)
        tellDaemon(that: app, is: death == .forceQuit ? .thrownOut : .dead)
    }
}
