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
        self.counted = counted
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
        to account: Account, as name: ConnectionName, of app: AppIdentity
    ) -> StreamHandle {
        let route = routes[app.phone]
        let handle = network.connect(
            to: account.port, over: route ?? firstInterfaces[app.phone], as: name, of: app.name)
        if let route {
            network.log.record(
                .connection(.bound(name, interface: UInt16(route))), at: network.now,
                app: app.name)
        }
        streams.opened(handle, as: name, of: app.name)
        return handle
    }
}

/// Place of an app in the run, and of its phone.
struct AppIdentity: Hashable, Sendable {
    /// Number of the app in the whole run, from 0.
    let index: Int
    let phone: Int

    var name: UInt16? { RunNames.number(ofPlace: index) }
}
