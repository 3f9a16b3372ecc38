import Content
import Foundation
import Quantities
import RunLog
import RunPlan
import Testing
import TransferHost

@testable import Live

@Suite struct LiveAppHostTests {
    @Test func `files arrive in the order of the queue, byte for byte`() throws {
        let plan = RunPlan.uploads(2, of: 200_000, megabits: 100)
        let server = try ServerBench(versions: plan.files.map(\.version))
        let app = try AppBench(plan, serverPort: server.port, clock: server.clock)
        try app.launch()
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(try Data(contentsOf: server.place(of: "incoming/1.mov")) == plan.content(of: 0))
        #expect(try Data(contentsOf: server.place(of: "incoming/2.mov")) == plan.content(of: 1))
        let published = server.serverFacts.compactMap { fact -> String? in
            if case .published(_, let object, _, _) = fact { object } else { nil }
        }
        #expect(published == ["incoming/1.mov", "incoming/2.mov"])
        #expect(app.events.map(\.at) == app.events.map(\.at).sorted())
    }

    @Test func `cut off in the middle it goes on where the server is`() throws {
        let plan = RunPlan.uploads(1, of: 600_000, megabits: 8)
        let server = try ServerBench(versions: plan.files.map(\.version))
        let app = try AppBench(plan, serverPort: server.port, clock: server.clock)
        try app.launch()
        try server.turn {
            app.hasTold {
                guard case .queue(.callback(_, .progress(_, let done, _, _))) = $0 else {
                    return false
                }
                return done > ByteCount(240_000)
            }
        }
        app.hangUp()
        #expect(!app.hasTold(app.hasCompleted))
        try app.launch()
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(try Data(contentsOf: server.place(of: "incoming/1.mov")) == plan.content(of: 0))
        let resumed = app.events.compactMap { event -> ByteCount? in
            if case .engine(.resumes(_, _, let at)) = event.fact { at } else { nil }
        }
        #expect(resumed.count == 1)
        #expect(resumed.allSatisfy { $0 > ByteCount(200_000) && $0 < ByteCount(600_000) })
        #expect(
            app.hasTold {
                if case .store(.opened(launch: 2, _, sessions: 1)) = $0 { true } else { false }
            })
    }

    @Test func `behind it asks for time, stops when that is up, and goes on in front`() throws {
        let plan = RunPlan.uploads(1, of: 600_000, megabits: 8)
        let server = try ServerBench(versions: plan.files.map(\.version))
        let app = try AppBench(plan, serverPort: server.port, clock: server.clock)
        try app.launch()
        try server.turn {
            app.hasTold { if case .engine(.sends) = $0 { true } else { false } }
        }
        app.tell(.enteredBackground)
        try server.turn { app.hasTold { _ in app.taskRequests == [.beginTask(1)] } }
        app.tell(.backgroundTimeExpires(1))
        try server.turn {
            app.hasTold { _ in app.taskRequests == [.beginTask(1), .endTask(1)] }
        }
        let stopped = SessionCallback.didDeactivate(.stopped(by: .expiry))
        #expect(app.hasTold { $0 == .queue(.callback(ItemName(1), stopped)) })
        app.tell(.enteredForeground)
        try server.turn { app.hasTold(app.hasCompleted) }
        #expect(try Data(contentsOf: server.place(of: "incoming/1.mov")) == plan.content(of: 0))
        app.hangUp()
    }

    /// A phone would suspend an app between the end of its task and the next one.
    @Test func `an app that goes on as it is told of an end keeps its time in the background`()
        throws
    {
        let plan = RunPlan.uploads(
            2, of: 600_000, megabits: 8,
            by: .init(.completed(ItemName(1)), .item(.begin, ItemName(2))))
        let server = try ServerBench(versions: plan.files.map(\.version))
        let app = try AppBench(plan, serverPort: server.port, clock: server.clock)
        try app.launch()
        try server.turn {
            app.hasTold { if case .engine(.sends) = $0 { true } else { false } }
        }
        app.tell(.enteredBackground)
        try server.turn { app.hasTold { _ in app.taskRequests.contains(.endTask(2)) } }
        #expect(app.taskRequests == [.beginTask(1), .beginTask(2), .endTask(1), .endTask(2)])
        #expect(app.hasTold(app.hasCompleted))
        app.hangUp()
    }

    @Test func `sending keeps to the rate of the uplink`() throws {
        let plan = RunPlan.uploads(1, of: 1_200_000, megabits: 8)
        // A machine that stands still for a while makes it slower; a wrong pace shows every time.
        var rates: [Double] = []
        while rates.count < 3, rates.allSatisfy({ abs($0 - 8e6) > 0.05 * 8e6 }) {
            rates.append(try rate(of: plan))
        }
        #expect(rates.contains { abs($0 - 8e6) <= 0.05 * 8e6 }, "\(rates) bit/s")
    }

    @Test func `a server that is not there is tried again after a pause`() throws {
        let plan = RunPlan.uploads(1, of: 1_000, megabits: 8)
        let port = try { () throws in try TCPListener().port }()
        let server = try ServerBench()
        let app = try AppBench(plan, serverPort: port, clock: server.clock)
        try app.launch()
        try server.turn { app.hasTold { $0 == .engine(.attempt(ItemName(1), number: 2)) } }
        let refused = app.events.filter {
            if case .connection(.ended(_, .refused, .zero)) = $0.fact { true } else { false }
        }
        let again = app.events.last { $0.fact == .engine(.attempt(ItemName(1), number: 2)) }
        let pause = try #require(again).at - (try #require(refused.first)).at
        #expect(pause >= .seconds(2))
    }

    @Test func `a source that is gone fails the session with the error for it`() throws {
        let plan = RunPlan.uploads(1, of: 1_000, megabits: 8)
        let server = try ServerBench()
        let app = try AppBench(plan, serverPort: server.port, clock: server.clock)
        try app.remove("films/1.mov")
        try app.launch()
        let failed = SessionCallback.didDeactivate(.failed(code: 4, message: "no such file"))
        try server.turn { app.hasTold { $0 == .queue(.callback(ItemName(1), failed)) } }
    }

    /// Bits a second between the head of the body and the server's last byte.
    private func rate(of plan: RunPlan) throws -> Double {
        let server = try ServerBench(versions: plan.files.map(\.version))
        let app = try AppBench(plan, serverPort: server.port, clock: server.clock)
        try app.launch()
        try server.turn { app.hasTold(app.hasCompleted) }
        let began = app.events.first {
            if case .engine(.sends) = $0.fact { true } else { false }
        }
        let ended = server.log.events.last {
            if case .server(.appendEnded(_, _, true)) = $0.fact { true } else { false }
        }
        let time = try #require(ended).at - (try #require(began)).at
        return Double(plan.files[0].size.bytes) * 8 / time.seconds
    }
}
