import Content
import DocrootServer
import Foundation
import Quantities
import RunLog
import RunPlan
import Testing
import TransferEngine
import TransferHost

@testable import Live

/// What an app's process does when its phone's network changes.
@Suite struct ProcessNetworkTests {
    private let plan = RunPlan.uploads(1, of: 600_000, megabits: 8)

    @Test func `an interface that is away holds everything back, and nothing is lost`() throws {
        let (server, app) = try benches()
        try app.launch()
        try server.turn { progress(of: app) > 240_000 }
        app.tell(.network(order(on: 0, isUp: [false, true])))
        try pass(.milliseconds(100), server)
        let before = progress(of: app)
        try pass(.milliseconds(300), server)
        #expect(progress(of: app) == before)
        app.tell(.network(order(on: 0)))
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(try Data(contentsOf: server.place(of: "incoming/1.mov")) == plan.content(of: 0))
        #expect(ends(of: app).isEmpty)
        #expect(interfaces(of: app) == [0])
    }

    @Test func `connections end with their interface, and the server does not hear of it`() throws {
        let (server, app) = try benches()
        try app.launch()
        try server.turn { progress(of: app) > 240_000 }
        app.tell(.network(order(.end(0), on: 1, isUp: [false, true])))
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(try Data(contentsOf: server.place(of: "incoming/1.mov")) == plan.content(of: 0))
        #expect(interfaces(of: app) == [0, 1])
        #expect(ends(of: app) == [.networkLost])
        #expect(hasAbandoned(1, in: app))
        let ended = server.takeEnds().map { LoopbackNetwork.interface(of: $0.client.address) }
        #expect(!ended.contains(0))
        let clients = app.requests.compactMap { request -> UInt32? in
            if case .connected(_, let own) = request { own.address } else { nil }
        }
        #expect(clients.map { "\(ClientAddress($0))" } == ["127.1.0.1", "127.1.1.1"])
    }

    @Test func `what was closed while its network was away is heard of when that is back`() throws {
        let (server, app) = try benches()
        try app.launch()
        try server.turn { progress(of: app) > 240_000 }
        app.tell(.enteredBackground)
        try server.turn { app.hasTold { _ in app.taskRequests == [.beginTask(1)] } }
        app.tell(.network(order(on: 0, isUp: [false, true])))
        app.tell(.backgroundTimeExpires(1))
        try server.turn { app.hasTold { _ in hasAbandoned(1, in: app) } }
        #expect(server.takeEnds().isEmpty)
        app.tell(.network(order(on: 0)))
        // What lay in the phone's send buffer is dropped with the connection (S8).
        try server.turn { server.takeEnds().map(\.isWhole) == [false] }
    }

    @Test func `whoever sends on where mappings are forgotten may be told by a reset`() throws {
        let (server, app) = try benches()
        try app.launch()
        try server.turn { progress(of: app) > 240_000 }
        app.tell(.network(order(.cut(0, answersByReset: true), on: 0)))
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(ends(of: app) == [.reset])
        #expect(interfaces(of: app) == [0, 0])
    }

    @Test func `where nobody is told, a connection that is cut goes silent`() throws {
        let (server, app) = try benches()
        try app.launch()
        try server.turn { progress(of: app) > 240_000 }
        app.tell(.network(order(.cut(0, answersByReset: false), on: 0)))
        try pass(.milliseconds(100), server)
        let before = progress(of: app)
        try pass(.milliseconds(300), server)
        #expect(progress(of: app) == before)
        #expect(ends(of: app).isEmpty)
    }

    @Test func `what another network forgets cuts nothing here`() throws {
        let (server, app) = try benches()
        try app.launch()
        try server.turn { progress(of: app) > 240_000 }
        app.tell(.network(order(.cut(1, answersByReset: true), on: 0)))
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(ends(of: app).isEmpty)
        #expect(interfaces(of: app) == [0])
    }

    @Test func `an app that is launched without a network waits for one`() throws {
        let (server, app) = try benches()
        app.standing = standing(on: nil, isUp: [false, false])
        try app.launch()
        try server.turn {
            app.hasTold { if case .engine(.waitsForNetwork) = $0 { true } else { false } }
        }
        app.tell(.network(order(on: 1, isUp: [false, true])))
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(interfaces(of: app) == [1])
    }

    @Test func `who connects behind a portal finds the portal`() throws {
        let (_, app) = try benches()
        let portal = try ServerBench(versions: [])
        app.standing.interfaces[0].portalPort = portal.port
        try app.launch()
        try portal.turn {
            app.hasTold { if case .connection(.response) = $0 { true } else { false } }
        }
        // Nothing of that is a connection of the server's.
        #expect(app.requests.isEmpty)
    }

    // MARK: Benches

    private func benches() throws -> (ServerBench, AppBench) {
        let server = try ServerBench(versions: plan.files.map(\.version))
        let app = try AppBench(plan, serverPort: server.port, clock: server.clock)
        app.standing = standing(on: 0)
        return (server, app)
    }

    private func standing(on route: UInt16?, isUp: [Bool] = [true, true]) -> NetworkStanding {
        NetworkStanding(
            status: NetworkStatus(
                interface: route, isCellular: route == 1, isMetered: false, isLowData: false,
                alive: route.map { [$0] } ?? []),
            interfaces: isUp.enumerated().map { place, isUp in
                NetworkStanding.Interface(
                    number: UInt16(place), isUp: isUp, address: "127.1.\(place).1",
                    bitsPerSecond: 8_000_000)
            })
    }

    private func order(
        _ acts: NetworkOrder.Act..., on route: UInt16?, isUp: [Bool] = [true, true]
    ) -> NetworkOrder {
        NetworkOrder(acts: acts, standing: standing(on: route, isUp: isUp))
    }

    private func hasAbandoned(_ connection: UInt32, in app: AppBench) -> Bool {
        app.requests.contains {
            if case .abandoned(connection, _) = $0 { true } else { false }
        }
    }

    /// The server goes on for so long.
    private func pass(_ span: TimeSpan, _ server: ServerBench) throws {
        let end = server.clock.now + span
        try server.turn { server.clock.now >= end }
    }

    private func progress(of app: AppBench) -> UInt64 {
        app.hear()
        return app.events.reduce(0) { most, event in
            guard case .queue(.callback(_, .progress(_, let done, _, _))) = event.fact else {
                return most
            }
            return max(most, done.bytes)
        }
    }

    private func interfaces(of app: AppBench) -> [UInt16] {
        app.events.compactMap {
            if case .connection(.bound(_, let interface)) = $0.fact { interface } else { nil }
        }
    }

    private func ends(of app: AppBench) -> [ConnectionEnd] {
        app.events.compactMap {
            guard case .connection(.ended(_, let why, _)) = $0.fact, why != .closed else {
                return nil
            }
            return why
        }
    }
}
