import Protocols
import Quantities
import TransferEngine

/// Connections of a process, by the engine's and by the network's numbers.
struct ProcessStreams {
    private var connections: [ConnectionID: VirtualConnection] = [:]
    private var names: [StreamHandle: ConnectionID] = [:]

    mutating func opened(_ id: ConnectionID, _ handle: StreamHandle, of app: AppIdentity) {
        connections[id] = VirtualConnection(handle: handle, app: app)
        names[handle] = id
    }

    mutating func write(_ pieces: [OutgoingPiece], to id: ConnectionID) {
        connections[id]?.pending += pieces
    }

    mutating func pump(
        _ id: ConnectionID, in environment: inout ProcessEnvironment
    ) -> VirtualConnection.Pumped? {
        connections[id]?.pump(in: &environment)
    }

    func pace(_ id: ConnectionID, by rate: RateWish, in environment: inout ProcessEnvironment) {
        guard let connection = connections[id] else { return }
        environment.network.transport.pace(connection.handle, PacedSettings(rate))
    }

    mutating func close(_ id: ConnectionID, in environment: inout ProcessEnvironment) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        names[connection.handle] = nil
        environment.network.finish(connection.handle)
    }

    mutating func abort(_ id: ConnectionID, in environment: inout ProcessEnvironment) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        names[connection.handle] = nil
        environment.network.reset(connection.handle)
    }

    /// Forgets a connection that the other side has ended.
    mutating func ended(
        _ handle: StreamHandle, in environment: inout ProcessEnvironment
    ) -> ConnectionID? {
        guard let id = names.removeValue(forKey: handle) else { return nil }
        connections[id] = nil
        environment.network.finish(handle)
        return id
    }

    subscript(handle: StreamHandle) -> ConnectionID? { names[handle] }

    subscript(id: ConnectionID) -> StreamHandle? { connections[id]?.handle }

    /// Handles of the connections, in order of opening.
    var handles: [StreamHandle] {
        connections.keys.sorted { $0.number < $1.number }.compactMap { connections[$0]?.handle }
    }
}
