import Content
import Quantities
import Testing
import TransferEngine

/// Behaviour A1, A2 and A3.
@Suite struct CallbackOrderTests {
    @Test func `a session connects, sends and disconnects, in the spans of A1 (A20)`() {
        var world = KilledAnywhereTests.world()
        world.run()
        let spans = world.callbacks.filter { if case .progress = $0 { false } else { true } }
        #expect(
            spans == [
                .willActivate, .didActivate, .willStartRunning, .didStartRunning,
                .didStartFile(name: "video.mov"), .didStopFile(name: "video.mov"),
                .willStopRunning, .didStopRunning, .willDeactivate, .didDeactivate(.completed),
            ])
    }

    @Test func `progress never goes back and ends with the total`() {
        var world = KilledAnywhereTests.world()
        world.run()
        var told: [ByteCount] = []
        for case .progress(_, let done, _, _) in world.callbacks { told.append(done) }
        #expect(told == told.sorted())
        #expect(told.last == KilledAnywhereTests.size)
    }

    @Test func `a failure to connect never says did start running`() {
        var world = KilledAnywhereTests.world()
        world.refusesConnections = 1
        world.run()
        #expect(
            world.callbacks.prefix(5) == [
                .willActivate, .didActivate, .willStartRunning, .didStopRunning,
                .willStartRunning,
            ])
        #expect(world.callbacks.last == .didDeactivate(.completed))
    }

    @Test func `seven retries, then the session fails and the next one runs`() {
        var world = DirectWorld()
        world.files["a"] = (KilledAnywhereTests.version, ByteCount(10))
        world.refusesConnections = 8
        world.launch(enqueuing: [
            KilledAnywhereTests.request("a", to: "first"),
            KilledAnywhereTests.request("a", to: "second"),
        ])
        world.run()
        #expect(world.kept.map(\.state) == [.failed, .completed])
        #expect(world.callbacks.contains(.didDeactivate(.failed(.connectionFailed))))
        #expect(world.publications.keys.sorted() == ["second"])
    }

    @Test func `sessions run in the order they were enqueued, one at a time`() {
        var world = DirectWorld()
        world.files["a"] = (KilledAnywhereTests.version, ByteCount(10))
        world.launch(
            enqueuing: ["x", "y", "z"].map { KilledAnywhereTests.request("a", to: $0) })
        world.run()
        var active: [ItemStage] = []
        var order: [UInt64] = []
        for case .moves(let session, _, let to, _) in world.notes {
            if to == .running { order.append(session.number) }
            active.append(to)
        }
        #expect(order == [1, 2, 3])
        #expect(active == [.running, .completed, .running, .completed, .running, .completed])
    }

    @Test func `a missing source fails its session alone`() {
        var world = DirectWorld()
        world.files["a"] = (KilledAnywhereTests.version, ByteCount(10))
        world.launch(enqueuing: [
            KilledAnywhereTests.request("gone", to: "x"),
            KilledAnywhereTests.request("a", to: "y"),
        ])
        world.run()
        #expect(world.callbacks.contains(.didDeactivate(.failed(.noSuchFile))))
        #expect(world.kept.map(\.state) == [.failed, .completed])
    }

    @Test func `an empty file is published, not sent for ever`() {
        var world = DirectWorld()
        world.files["empty"] = (KilledAnywhereTests.version, .zero)
        world.launch(enqueuing: [KilledAnywhereTests.request("empty", to: "x")])
        world.run()
        #expect(world.publications["x"] == [[]])
        #expect(world.kept.map(\.state) == [.completed])
    }
}
