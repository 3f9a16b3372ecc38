import Content
import Quantities
import Testing
import TransferEngine

/// What the app is told of each session, so that a table can show it after any launch (A25).
@Suite struct SessionStandingTests {
    @Test func `a session that has failed for now says why, and until when it waits`() throws {
        var bench = QueueBench(sessions: 2)
        bench.connect()
        bench.lose()
        let standing = try #require(bench.standings[1])
        #expect(standing.state == .retrying)
        #expect(standing.error == .connectionLost)
        #expect(standing.wait == bench.deadline.map { .pause(until: $0) })
        #expect(standing.progress == SessionProgress(done: .zero, total: nil))
        #expect(bench.standings[2]?.state == .waiting)
        #expect(bench.standings[2]?.wait == nil)
        bench.wait(.seconds(60))
        #expect(bench.standings[1]?.state == .running)
        #expect(bench.standings[1]?.wait == nil)
        bench.finish()
        #expect(bench.standings[1]?.state == .completed)
        #expect(bench.standings[1]?.error == nil)
        #expect(bench.standings[1]?.files.map(\.isComplete) == [true])
    }

    @Test func `a session that may use no network says so, until there is one`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        let none = NetworkStatus(
            interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
        bench.tell(.network(none))
        bench.tell(.command(.queue(.start)))
        #expect(bench.standings[1]?.wait == .network(because: "there is no network"))
        let wifi = NetworkStatus(
            interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0])
        bench.tell(.network(wifi))
        #expect(bench.standings[1]?.state == .running)
        #expect(bench.standings[1]?.wait == nil)
    }

    @Test func `an error outlives a launch, and whoever runs the session again forgets it`() {
        var bench = QueueBench(sessions: 1)
        bench.connect()
        bench.finds(.missing)
        #expect(bench.standings[1]?.state == .failed)
        #expect(bench.standings[1]?.error == .noSuchFile)
        bench.kill(isStarted: false)
        #expect(bench.standings[1]?.error == .noSuchFile)
        bench.ask(.run, 1)
        #expect(bench.standings[1]?.state == .waiting)
        #expect(bench.standings[1]?.error == nil)
    }

    @Test func `a launch tells of all sessions as they stand then`() {
        var bench = QueueBench(sessions: 3)
        bench.connect()
        bench.kill(isStarted: false)
        #expect([1, 2, 3].map { bench.standings[$0]?.state } == [.waiting, .waiting, .waiting])
        #expect(bench.standings.count == 3)
    }

    @Test func `how a session stands is told before the callbacks about it`() throws {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.forget()
        bench.tell(.command(.queue(.start)))
        let told = bench.outputs.compactMap { output -> String? in
            switch output {
            case .tell(.sessionStands(let standing)): "\(standing.state)"
            case .tell(.session(_, .row(.updated))): "row"
            case .tell(.session(_, .willActivate)): "will activate"
            default: nil
            }
        }
        #expect(told.prefix(3) == ["running", "row", "will activate"])
    }
}
