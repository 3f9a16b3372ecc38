import Content
import DocrootServer
import Quantities
import Recording
import RunLog

/// The host that runs the docroot server: streams of the virtual network on one side, its disk on
/// the other.
struct VirtualServer: Sendable {
    private var server = DocrootServer()
    private var docroot = VirtualDocroot()
    private let recorder = ServerRecorder()
    private var connections: [StreamHandle: ServerConnectionID] = [:]
    private var handles: [ServerConnectionID: StreamHandle] = [:]
    private var lastConnection: UInt32 = 0
    private var outputs: [ServerOutput] = []

    mutating func accepted(_ handle: StreamHandle, on network: inout VirtualNetwork) {
        lastConnection += 1
        let id = ServerConnectionID(lastConnection)
        connections[handle] = id
        handles[id] = handle
        take(.connected(id), on: &network)
    }

    mutating func readable(_ handle: StreamHandle, of network: inout VirtualNetwork) {
        var segments: [Segment] = []
        network.read(handle, into: &segments)
        guard let id = connections[handle], !segments.isEmpty else { return }
        take(.received(id, segments), on: &network)
    }

    /// The client has finished or the connection broke: either way nothing more will come.
    mutating func disconnected(_ handle: StreamHandle, of network: inout VirtualNetwork) {
        guard let id = connections.removeValue(forKey: handle) else { return }
        handles[id] = nil
        network.finish(handle)
        take(.disconnected(id), on: &network)
    }

    private mutating func take(_ first: ServerInput, on network: inout VirtualNetwork) {
        var inputs = [first]
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            _ = server.handle(input, at: network.now, into: &outputs)
            for output in outputs {
                recorder.record(output, at: network.now, into: &network.log)
                carryOut(output, on: &network, answering: &inputs)
            }
            outputs.removeAll(keepingCapacity: true)
        }
    }

    private mutating func carryOut(
        _ output: ServerOutput, on network: inout VirtualNetwork,
        answering inputs: inout [ServerInput]
    ) {
        switch output {
        case .stage(let upload, let offset, let segments):
            inputs.append(.staged(upload, docroot.stage(upload, at: offset, segments)))
        case .publish(let upload, let object):
            inputs.append(.published(upload, docroot.publish(upload, as: object)))
        case .send(let id, let segments):
            if let handle = handles[id] { network.send(handle, segments) }
        case .close(let id):
            guard let handle = handles.removeValue(forKey: id) else { return }
            connections[handle] = nil
            network.finish(handle)
        case .note: break
        }
    }
}
