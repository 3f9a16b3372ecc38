import Quantities
import RunLog
import RunPlan
import TransferEngine

/// What all processes of all phones share and what outlives them: the network, the apps' files,
/// the routes, and the books of the run.
struct ProcessEnvironment: ~Copyable {
    var network: SecuredNetwork
    /// Files of the apps, in the order of the run's apps.
    private var containers: [VirtualContainer]
    /// The interface of each phone that has no choice.
    private let firstInterfaces: [Int]
    /// How many items of all apps have their names already.
    var counted: ItemCounts
    /// Every stream that a process has opened, under the name that the log knows.
    var streams = OpenStreams()
    /// Launches of all apps of the run.
    var launches: UInt32 = 0
    /// The interface of each phone's new connections, where there is a choice or was one.
    var routes: [Int?]
    /// Where flight recorders write, if the run has any.
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

    /// Records the files that the apps have from the start.
    mutating func announceFiles() {
        for (index, container) in containers.enumerated() {
            container.announce(
                at: .start, of: RunNames.number(ofPlace: index), into: &network.log)
        }
    }

    /// Somebody changes a file behind the back of the app that has one of this path.
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

/// Which app of the run a process acts for, and on which phone that app is.
struct AppIdentity: Hashable, Sendable {
    /// Counted through the run, from 0.
    let index: Int
    /// Counted from 0.
    let phone: Int

    /// App number for the log; `nil` for the first app.
    var name: UInt16? { RunNames.number(ofPlace: index) }
}
