import Content
import Foundation
import Quantities
import RunLog
import RunPlan
import Testing
import TransferEngine
import TransferHost

@testable import Live

@Suite struct LiveDaemonHostTests {
    @Test func `a task that is resumed sends its file, and the app is told`() throws {
        let plan = RunPlan.uploads(1, of: 200_000, megabits: 100)
        let (server, daemon) = try benches(plan)
        try daemon.start()
        daemon.launchApp()
        daemon.makeTask(1, at: "1.mov", .upload(from: "films/1.mov"))
        try server.turn { daemon.hasFinished(1, status: 201) }
        #expect(try Data(contentsOf: server.place(of: "1.mov")) == plan.content(of: 0))
        daemon.tell(.asked(by: 0, .heard(1)))
        try server.turn { daemon.rests }
    }

    @Test func `a download is a file of the daemon's until the app has heard of it`() throws {
        let plan = RunPlan.uploads(1, of: 200_000, megabits: 100)
        let (server, daemon) = try benches(plan)
        try plan.content(of: 0).write(to: server.place(of: "1.mov"))
        try daemon.start()
        daemon.launchApp()
        daemon.makeTask(1, at: "1.mov", .download)
        try server.turn { daemon.hasFinished(1, status: 200) }
        let told = daemon.words.compactMap { word -> String? in
            guard case .tells(0, 1, .downloaded(1, _, _, _, let path)) = word else { return nil }
            return path
        }
        #expect(told == (try daemon.files))
        #expect(
            try Data(contentsOf: URL(filePath: try #require(told.first))) == plan.content(of: 0))
        let whole = ContentRange(
            plan.files[0].version, offset: .zero, length: plan.files[0].size)
        #expect(
            daemon.hasTold {
                if case .file(.downloaded(_, "1.mov", [whole])) = $0 { true } else { false }
            })
        daemon.tell(.asked(by: 0, .heard(1)))
        try server.turn { daemon.rests }
        #expect(try daemon.files == [])
    }

    @Test func `one that is ended in the middle goes on with its tasks when it starts`() throws {
        let plan = RunPlan.uploads(1, of: 600_000, megabits: 8)
        let (server, daemon) = try benches(plan)
        try daemon.start()
        daemon.launchApp()
        daemon.makeTask(1, at: "1.mov", .upload(from: "films/1.mov"))
        try server.turn { progress(of: daemon) > 240_000 }
        daemon.hangUp()
        try daemon.start()
        try server.turn { daemon.hasSaid { $0 == .wakes(0) } }
        #expect(try Data(contentsOf: server.place(of: "1.mov")) == plan.content(of: 0))
        daemon.launchApp(2)
        try server.turn { daemon.hasFinished(1, status: 201, launch: 2) }
        let names = daemon.events.compactMap { event -> UInt32? in
            guard case .connection(.opening(let name, _, _)) = event.fact else { return nil }
            return name.number
        }
        #expect(names == [1, 2])
    }

    @Test func `a file is found where its container was moved to`() throws {
        let plan = RunPlan.uploads(1, of: 600_000, megabits: 8)
        let (server, daemon) = try benches(plan)
        try daemon.start()
        daemon.launchApp()
        daemon.makeTask(1, at: "1.mov", .upload(from: "films/1.mov"))
        try server.turn { progress(of: daemon) > 240_000 }
        var container = daemon.container
        try container.move(to: 2)
        try server.turn { daemon.hasFinished(1, status: 201) }
        #expect(try Data(contentsOf: server.place(of: "1.mov")) == plan.content(of: 0))
    }

    @Test func `a force-quit cancels, and the next launch is told so`() throws {
        let plan = RunPlan.uploads(1, of: 600_000, megabits: 8)
        let (server, daemon) = try benches(plan)
        try daemon.start()
        daemon.launchApp()
        daemon.makeTask(1, at: "1.mov", .upload(from: "films/1.mov"))
        try server.turn { progress(of: daemon) > 240_000 }
        daemon.tell(.app(0, .thrownOut, launch: 1))
        try server.turn { daemon.rests }
        #expect(!daemon.hasSaid { $0 == .wakes(0) })
        daemon.launchApp(2)
        try server.turn { daemon.hasFailed(1, .cancelled, launch: 2) }
        #expect(!FileManager.default.fileExists(atPath: server.place(of: "1.mov").path))
    }

    @Test func `a daemon that reads its store late tells each process of an app its own`() throws {
        let plan = RunPlan.uploads(1, of: 600_000, megabits: 8)
        let (server, daemon) = try benches(plan)
        try daemon.start()
        daemon.launchApp()
        daemon.makeTask(1, at: "1.mov", .upload(from: "films/1.mov"))
        try server.turn { progress(of: daemon) > 240_000 }
        daemon.tell(.app(0, .thrownOut, launch: 1))
        try server.turn { daemon.rests }
        daemon.hangUp()
        try daemon.hideStore()
        try daemon.start()
        daemon.launchApp(2)
        daemon.tell(.app(0, .dead, launch: 2))
        daemon.launchApp(3)
        try server.turn {
            daemon.hasTold { if case .daemon(.store(.failed, _)) = $0 { true } else { false } }
        }
        try daemon.showStore()
        var launches: [UInt32] = []
        try server.turn {
            daemon.hear()
            launches = daemon.words.compactMap {
                if case .tells(0, let launch, .finished) = $0 { launch } else { nil }
            }
            return launches.count == 2
        }
        #expect(launches == [2, 3])
    }

    @Test func `a task that may not use cellular opens no connection over it`() throws {
        let plan = RunPlan.uploads(1, of: 200_000, megabits: 100)
        let (server, daemon) = try benches(plan)
        daemon.standing = standing(isCellular: true)
        try daemon.start()
        daemon.launchApp()
        daemon.makeTask(1, at: "1.mov", .upload(from: "films/1.mov"), limits: [.noCellular])
        try server.turn {
            daemon.hasTold { if case .engine(.waitsForNetwork) = $0 { true } else { false } }
        }
        #expect(!daemon.hasTold { if case .connection = $0 { true } else { false } })
        daemon.tell(.network(NetworkOrder(acts: [], standing: standing(isCellular: false))))
        try server.turn { daemon.hasFinished(1, status: 201) }
        let bound = daemon.events.compactMap { event -> UInt16? in
            guard case .connection(.bound(_, let interface)) = event.fact else { return nil }
            return interface
        }
        #expect(bound == [0])
    }

    // MARK: Benches

    private func benches(_ plan: RunPlan) throws -> (ServerBench, DaemonBench) {
        let server = try ServerBench(versions: plan.files.map(\.version))
        return (server, try DaemonBench(plan, serverPort: server.port, clock: server.clock))
    }

    private func standing(isCellular: Bool) -> NetworkStanding {
        let route: UInt16 = isCellular ? 1 : 0
        return NetworkStanding(
            status: NetworkStatus(
                interface: route, isCellular: isCellular, isMetered: isCellular,
                isLowData: false, alive: [route]),
            interfaces: [0, 1].map {
                NetworkStanding.Interface(
                    number: $0, isUp: $0 == route, address: "127.1.\($0).1",
                    bitsPerSecond: 100_000_000)
            })
    }

    private func progress(of daemon: DaemonBench) -> UInt64 {
        daemon.hear()
        return daemon.words.reduce(0) { most, word in
            guard case .tells(_, _, .progress(_, _, _, let done, _)) = word else { return most }
            return max(most, done.bytes)
        }
    }
}
