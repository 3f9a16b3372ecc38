import Quantities
import Recording
import RunLog
import Testing
import TransferEngine

@Suite struct MachinePumpTests {
    private static let nothing = NetworkStatus(
        interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
    private static let wifi = NetworkStatus(
        interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0])

    /// Its store could not be opened for a while, in which its phone's network has changed.
    @Test(arguments: [
        ([wifi, nothing], []), ([nothing, wifi], [1]), ([wifi, nothing, wifi], [1]),
    ])
    func `a daemon that opens its store late begins over the present network alone`(
        networks: [NetworkStatus], connects: [Int]
    ) {
        var pump = MachinePump<TransferDaemon>(
            .init(identity: "phone-1", connectionsBefore: 0, resumes: nil),
            recordedBy: DaemonRecorder(apps: [AppNumbers()]))
        var log = RunLogSink()
        for network in networks {
            pump.tell(.network(network))
            pump.tell(.charger(isConnected: true))
        }
        pump.opened([Self.task], delays: [], clearings: [], after: nil, at: .start, into: &log)
        var connections: [Int] = []
        while let outputs = pump.turn(at: .start, into: &log) {
            for case .attempt(.connect(let connection, _, _)) in outputs {
                connections.append(Int(connection.number))
            }
        }
        #expect(connections == connects)
    }

    private static var task: TaskRecord {
        let id = TaskID(app: 0, number: 1)
        return TaskRecord(
            id: id, session: "films",
            account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            transfer: TransferRecord(id: id.transfer, source: "a", destination: "put/a"),
            state: .running)
    }
}
