import Protocols
import Quantities
import RunLog
import RunPlan
import TransferEngine

/// State that all processes of all phones share and that outlives them: the network, the apps'
/// files, the routes, and the books of the run.
struct ProcessEnvironment: ~Copyable {
    var network: SecuredNetwork
    /// Files of the run's apps, in order of the apps.
    private var containers: [VirtualContainer]
    /// Default interface of each phone.
    private let firstInterfaces: [Int]
    /// Number of items numbered so far, over all apps.
    var counted: ItemCounts
    /// Open streams under their names in the log.
    var streams = OpenStreams()
    /// Number of launches so far, over all apps.
    var launches: UInt32 = 0
    /// Interface for new connections of each phone; `nil` for the default.
    var routes: [Int?]
    /// For each app, whether its phone gives it no network.
    var isWithoutNetwork: [Bool]
    /// The current moment, and how often processes have had something to do at it.
    private var moment = (at: Instant.start, turns: UInt64(0))
    /// Flight recordings, if the run makes any.
    var flights: VirtualFlights?

    init(
        network: consuming SecuredNetwork, containers: [VirtualContainer],
        firstInterfaces: [Int], counted: ItemCounts
    ) {
        self.network = network
        self.containers = containers
        self.firstInterfaces = firstInterfaces
        routes = firstInterfaces.map { _ in nil }
        isWithoutNetwork = containers.map { _ in false }
        self.counted = counted
        let items = Facade.allCases.reduce(0) { $0 + counted[$1] }
        let files = containers.reduce(0) { $0 + $1.count }
        mostTurns = 5_000 + 20 * (items + UInt64(files))
    }

    // MARK: Time

    /// Far more turns than processes take at a moment, if they ever let it pass. What a run begins
    /// with needs a turn for each item, or for each file of a persistent session.
    private let mostTurns: UInt64

    /// Whether time stands still, as a process has something to do again and again.
    var isEndless: Bool { moment.turns >= mostTurns }

    mutating func countTurn() {
        if moment.at != network.now { moment = (network.now, 0) }
        moment.turns += 1
    }

    // MARK: Files

    subscript(filesOf app: AppIdentity) -> VirtualContainer {
        get { containers[app.index] }
        _modify { yield &containers[app.index] }
    }

    /// Records the files that exist at the start.
    mutating func announceFiles() {
        for (index, container) in containers.enumerated() {
            container.announce(
                at: .start, of: RunNames.number(ofPlace: index), into: &network.log)
        }
    }

    /// Changes a file of the app that owns the path, without telling the app.
    mutating func apply(_ change: FileChange) {
        guard let owner = containers.firstIndex(where: { $0.has(change.path) }) else {
            preconditionFailure("no app has \(change.path)")
        }
        containers[owner].apply(
            change, at: network.now, of: RunNames.number(ofPlace: owner), into: &network.log)
    }

    // MARK: Connections

    mutating func connect(
        to account: Account, as name: ConnectionName, of app: AppIdentity, isBackground: Bool
    ) -> StreamHandle {
        let handle = network.connect(
            to: account.port, over: interface(for: app), as: name, of: app.name,
            isBackground: isBackground)
        noteOpened(handle, as: name, of: app)
        return handle
    }

    mutating func connect(
        by route: PacedRoute, as name: ConnectionName, of app: AppIdentity
    ) -> StreamHandle {
        let handle = network.connect(
            to: route.session, PacedSettings(route.rate), hasChannels: route.hasChannels,
            over: interface(for: app))
        noteOpened(handle, as: name, of: app)
        return handle
    }

    /// Opens another channel of a session of the paced transport; `nil` if there is none to be had.
    mutating func connect(
        beside other: StreamHandle, as name: ConnectionName, of app: AppIdentity
    ) -> StreamHandle? {
        let handle = network.transport.openChannel(beside: other)
        if let handle { noteOpened(handle, as: name, of: app) }
        return handle
    }

    private func interface(for app: AppIdentity) -> Int {
        routes[app.phone] ?? firstInterfaces[app.phone]
    }

    private mutating func noteOpened(
        _ handle: StreamHandle, as name: ConnectionName, of app: AppIdentity
    ) {
        if let route = routes[app.phone] {
            network.log.record(
                .connection(.bound(name, interface: UInt16(route))), at: network.now,
                app: app.name)
        }
        streams.opened(handle, as: name, of: app.name)
        if isWithoutNetwork[app.index] { network.transport.lose(handle) }
    }
}

/// Place of an app in the run, and of its phone.
struct AppIdentity: Hashable, Sendable {
    /// Number of the app in the whole run, from 0.
    let index: Int
    let phone: Int

    var name: UInt16? { RunNames.number(ofPlace: index) }
}
