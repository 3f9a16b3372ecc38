import Device
import Foundation
import Glibc
import Quantities
import Recording
import RunLog
import RunPlan

/// The phone of a live run: its system is the same model as in simulation, and what that decides is
/// done to a real process.
extension LiveWorld {
    /// What a live run cannot do to a phone is said once, before it is missed.
    func recordLimits(of device: [DeviceEvent]) {
        if device.contains(where: { $0 == .powerLost }) {
            limited(
                "“power lost” killed the app and no more: what it had not synced was kept, and "
                    + "its connections were reset",
                remedy: "run the scenario simulated to see the rest")
        }
        if device.contains(where: { $0 == .reboot }) {
            limited(
                "“phone reboots” killed the app and kept it down; the network stayed up",
                remedy: "run the scenario simulated to see the rest")
        }
    }

    func happens(_ event: DeviceEvent) throws(LiveError) {
        // There is one app on a live phone.
        guard event.app ?? 0 == 0 else { return }
        phone.inputs.append(.happens(event))
        try workOnPhone()
    }

    /// Until the model has nothing left to be told.
    func workOnPhone() throws(LiveError) {
        if let deadline = phone.deadline, deadline <= clock.now { phone.inputs.append(.wake) }
        while !phone.inputs.isEmpty {
            let input = phone.inputs.removeFirst()
            var outputs: [DeviceOutput] = []
            phone.deadline = phone.device.handle(input, at: clock.now, into: &outputs)
            for output in outputs { try carryOut(output) }
        }
    }

    private func carryOut(_ output: DeviceOutput) throws(LiveError) {
        switch output {
        case .launch(_, let inBackground):
            lastLaunch += 1
            record(output)
            try launchApp(inBackground: inBackground)
        case .enter(_, .suspended, _):
            app?.stop()
            // All that it said before it stood still comes before that.
            try hearLines()
            record(output)
        case .enter(_, let state, _):
            record(output)
            switch state {
            case .active: app?.tell(.enteredForeground)
            case .background: app?.tell(.enteredBackground)
            case .inactive, .suspended, .notRunning: break
            }
            app?.goOn()
        case .expire(_, let tasks, _):
            record(output)
            for task in tasks { app?.tell(.backgroundTimeExpires(task)) }
        case .end: try killApp(output)
        case .clearData:
            record(output)
            phone.launches = 0
            phone.sessionsBefore += UInt64(setup.plan.sessions.count)
            quiet.dataCleared()
            do throws(SystemError) {
                try directory.clearContainer()
                // What the user keeps there is not the app's data.
                for case .stands(let path, let version, let size) in files.facts {
                    try directory.write(PlannedFile(path: path, version: version, size: size))
                }
            } catch {
                throw .system(error)
            }
        case .moveContainer(_, let version):
            record(output)
            do throws(SystemError) { try directory.moveContainer(to: version) } catch {
                throw .system(error)
            }
        case .power, .note: record(output)
        }
    }

    private func record(_ output: DeviceOutput) {
        phone.recorder.record(output, launch: lastLaunch, at: clock.now, into: &ownLog)
    }

    private func killApp(_ output: DeviceOutput) throws(LiveError) {
        guard let exit = app?.kill() else { return }
        try hearLines()
        // It may have been faster.
        guard exit == .signal(SIGKILL) else { return crashed(exit) }
        record(output)
        buryApp()
    }
}
