import Content
import Quantities
import Testing
import TransferEngine

/// An engine that is told of the device's networks (B13).
@Suite struct NetworkWaitTests {
    /// The engine by hand: its store keeps at once, and everything else is the test's.
    private struct Bench {
        var engine = TransferEngine()
        var now = Instant.start
        var deadline: Instant?
        var connections: [ConnectionID] = []
        var closed: [ConnectionID] = []
        /// Those of them that end without a farewell.
        var aborted: [ConnectionID] = []
        var notes: [EngineFact] = []
        var callbacks: [SessionCallback] = []
        var kept: [SessionID: SessionRecord] = [:]

        init(_ status: NetworkStatus?, limits: [NetworkLimits] = [[]]) {
            tell(.restored([]))
            if let status { tell(.network(status)) }
            for (place, limits) in limits.enumerated() {
                let account = Account(
                    host: "docroot", port: 80, credentials: CredentialHandle("app"))
                tell(
                    .command(
                        .queue(
                            .enqueue(
                                SessionRequest(
                                    account: account,
                                    uploads: [
                                        .init(source: "\(place)", destination: "in/\(place)")
                                    ],
                                    limits: limits)))))
            }
            tell(.command(.queue(.start)))
        }

        mutating func tell(_ input: EngineInput) {
            var inputs = [input]
            while !inputs.isEmpty {
                var outputs: [EngineOutput] = []
                deadline = engine.handle(inputs.removeFirst(), at: now, into: &outputs)
                for output in outputs {
                    switch output {
                    case .persist(let ticket, .put(let record)):
                        kept[record.id] = record
                        inputs.append(.persisted(ticket))
                    case .attempt(.connect(let id, _, _)): connections.append(id)
                    case .attempt(.close(let id)): closed.append(id)
                    case .attempt(.abort(let id)):
                        closed.append(id)
                        aborted.append(id)
                    case .note:
                        if let fact = output.engineFact { notes.append(fact) }
                    case .tell(.session(_, .row)): break
                    case .tell(.session(_, let callback)): callbacks.append(callback)
                    case .persist(_, .forgetSetAside): break
                    case .persist(let ticket, .remove(let session)):
                        kept[session] = nil
                        inputs.append(.persisted(ticket))
                    case .persist(_, .putAccount), .persist(_, .removeAccount), .attempt, .tell,
                        .beginBackgroundTask, .endBackgroundTask, .askDaemon,
                        .persist(_, .putEntry), .persist(_, .removeEntry):
                        break
                    }
                }
            }
        }

        var waits: [String] {
            notes.compactMap { note in
                if case .waitsForNetwork(let id, let why) = note {
                    "\(id.number): \(why)"
                } else {
                    nil
                }
            }
        }

        var failures: Int {
            notes.count { if case .fails = $0 { true } else { false } }
        }
    }

    private static let wifi = NetworkStatus(
        interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0])
    private static let cellular = NetworkStatus(
        interface: 1, isCellular: true, isMetered: true, isLowData: false, alive: [1])
    private static let none = NetworkStatus(
        interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
    private static let dearWifi = NetworkStatus(
        interface: 0, isCellular: false, isMetered: true, isLowData: true, alive: [0])

    typealias Row = (limits: NetworkLimits, status: NetworkStatus, why: String?)

    @Test(
        arguments: [
            ([], none, "there is no network"), ([], cellular, nil), ([], dearWifi, nil),
            ([.noCellular], wifi, nil), ([.noCellular], cellular, "it may not use cellular"),
            ([.noCellular], dearWifi, nil),
            ([.noMetered], cellular, "it may not use a metered network"),
            ([.noMetered], dearWifi, "it may not use a metered network"), ([.noMetered], wifi, nil),
            ([.noLowData], dearWifi, "it may not use data in low data mode"),
            ([.noLowData], cellular, nil),
        ] as [Row])
    func `a session begins on a network that it may use, and else says why it waits`(row: Row) {
        let bench = Bench(row.status, limits: [row.limits])
        #expect(bench.connections.isEmpty == (row.why != nil))
        #expect(bench.waits == row.why.map { ["1: \($0)"] } ?? [])
        #expect(bench.callbacks.isEmpty == (row.why != nil))
    }

    @Test func `without a word of networks everything goes`() {
        let bench = Bench(nil, limits: [[.noCellular, .noMetered, .noLowData]])
        #expect(bench.connections.count == 1 && bench.waits.isEmpty)
    }

    @Test func `a session that waits keeps the others behind it`() {
        var bench = Bench(Self.cellular, limits: [.noCellular, []])
        #expect(bench.connections.isEmpty && bench.waits == ["1: it may not use cellular"])
        bench.tell(.network(Self.none))
        bench.tell(.network(Self.none))
        #expect(bench.waits == ["1: it may not use cellular", "1: there is no network"])
        bench.tell(.network(Self.wifi))
        #expect(bench.connections.count == 1)
    }

    @Test func `what its limits were stands in its record`() {
        let bench = Bench(Self.cellular, limits: [.noCellular])
        #expect(bench.kept[SessionID(1)]?.limits == .noCellular)
        #expect(
            bench.notes.contains(.isLimited(ItemName(1), .noCellular)))
    }

    @Test func `a lost network interrupts an attempt, and costs no retry`() {
        var bench = Bench(Self.wifi)
        bench.tell(.attempt(.connected(bench.connections[0])))
        bench.callbacks = []
        bench.tell(.network(Self.none))
        #expect(bench.closed == bench.connections)
        #expect(bench.callbacks == [.didStopFile(name: "0"), .willStopRunning, .didStopRunning])
        #expect(bench.kept[SessionID(1)]?.state == .retrying)
        #expect(bench.deadline == nil)
        // What the network says later of the connection is old news.
        bench.tell(.attempt(.disconnected(bench.connections[0], .networkLost)))
        bench.tell(.network(Self.cellular))
        #expect(bench.connections.count == 2 && bench.failures == 0)
        #expect(bench.kept[SessionID(1)]?.failures == 0)
    }

    @Test(arguments: [true, false])
    func `a connection that is lost with its network is replaced at once by the other`(
        isEstablished: Bool
    ) {
        var bench = Bench(Self.wifi)
        bench.tell(
            .network(
                NetworkStatus(
                    interface: 1, isCellular: true, isMetered: true, isLowData: false,
                    alive: [0, 1])))
        #expect(bench.connections.count == 1)
        if isEstablished { bench.tell(.attempt(.connected(bench.connections[0]))) }
        bench.callbacks = []
        bench.tell(.attempt(.disconnected(bench.connections[0], .networkLost)))
        #expect(bench.connections.count == 2 && bench.failures == 0)
        #expect(bench.callbacks.contains(.willStopRunning) == isEstablished)
    }

    /// Such as on a phone that gives the app no network, without saying so.
    @Test(arguments: [true, false])
    func `a connection that never finds the network that is there costs a retry`(
        isEstablished: Bool
    ) {
        var bench = Bench(Self.wifi)
        if isEstablished { bench.tell(.attempt(.connected(bench.connections[0]))) }
        bench.tell(.attempt(.disconnected(bench.connections[0], .networkLost)))
        // The network may have gone and come back since the connection was established.
        #expect(bench.connections.count == (isEstablished ? 2 : 1))
        #expect(bench.failures == (isEstablished ? 0 : 1))
    }

    @Test func `Wi-Fi that comes back is used, also by what goes over cellular`() {
        var bench = Bench(Self.cellular)
        bench.tell(.attempt(.connected(bench.connections[0])))
        var status = Self.wifi
        status.alive = [0, 1]
        bench.tell(.network(status))
        #expect(bench.closed == [bench.connections[0]] && bench.connections.count == 2)
    }

    @Test func `a network that becomes metered stops whoever may not use it`() {
        var bench = Bench(Self.wifi, limits: [.noMetered])
        bench.tell(.attempt(.connected(bench.connections[0])))
        bench.tell(.network(Self.dearWifi))
        #expect(bench.closed.count == 1 && bench.connections.count == 1)
        #expect(bench.waits == ["1: it may not use a metered network"])
        bench.tell(.network(Self.wifi))
        #expect(bench.connections.count == 2)
    }

    @Test(arguments: [true, false])
    func `not even a farewell goes over a network that is forbidden`(isEstablished: Bool) {
        var bench = Bench(Self.wifi, limits: [.noMetered])
        if isEstablished { bench.tell(.attempt(.connected(bench.connections[0]))) }
        bench.tell(.network(Self.dearWifi))
        #expect(bench.aborted == bench.connections)
    }

    @Test func `a pause after an error is slept out, and ends in waiting if there is no network`() {
        var bench = Bench(Self.wifi)
        bench.tell(.attempt(.disconnected(bench.connections[0], .refused)))
        #expect(bench.failures == 1)
        bench.tell(.network(Self.none))
        bench.now = .start + .seconds(1)
        bench.tell(.network(Self.wifi))
        #expect(bench.connections.count == 1)
        bench.tell(.network(Self.none))
        bench.now = .start + .seconds(2)
        bench.tell(.wake)
        #expect(bench.connections.count == 1 && bench.waits == ["1: there is no network"])
        bench.tell(.network(Self.cellular))
        #expect(bench.connections.count == 2)
    }
}
