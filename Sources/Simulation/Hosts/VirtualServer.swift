import Content
import DocrootServer
import Quantities
import Recording
import RunLog

/// The host that runs the docroot server: streams of the virtual network on one side, its disk on
/// the other.
///
/// A connection has the number of its stream, so that neither needs looking up.
struct VirtualServer: Sendable {
    private var server = DocrootServer()
    private var docroot = VirtualDocroot()
    private let recorder = ServerRecorder()
    private var inputs: [ServerInput] = []
    private var outputs: [ServerOutput] = []

    mutating func accepted(_ handle: StreamHandle, on network: inout SecuredNetwork) {
        take(.connected(ServerConnectionID(handle)), on: &network)
    }

    mutating func readable(_ handle: StreamHandle, of network: inout SecuredNetwork) {
        var segments: [Segment] = []
        network.read(handle, into: &segments)
        guard !segments.isEmpty else { return }
        take(.received(ServerConnectionID(handle), segments), on: &network)
    }

    /// The client has finished or the connection broke: either way nothing more will come.
    mutating func disconnected(_ handle: StreamHandle, of network: inout SecuredNetwork) {
        network.finish(handle)
        take(.disconnected(ServerConnectionID(handle)), on: &network)
    }

    /// Until the server has nothing left to be told at this moment.
    private mutating func take(_ first: ServerInput, on network: inout SecuredNetwork) {
        inputs.append(first)
        var next = 0
        while next < inputs.count {
            _ = server.handle(inputs[next], at: network.now, into: &outputs)
            next += 1
            for output in outputs {
                recorder.record(output, at: network.now, into: &network.log)
                carryOut(output, on: &network)
            }
            outputs.removeAll(keepingCapacity: true)
        }
        inputs.removeAll(keepingCapacity: true)
    }

    private mutating func carryOut(_ output: ServerOutput, on network: inout SecuredNetwork) {
        switch output {
        case .stage(let upload, let offset, let segments):
            inputs.append(.staged(upload, docroot.stage(upload, at: offset, segments)))
        case .publish(let upload, _):
            inputs.append(.published(upload, docroot.publish(upload)))
        case .send(let id, let segments): network.send(StreamHandle(id), segments)
        case .close(let id): network.finish(StreamHandle(id))
        case .note: break
        }
    }
}

extension ServerConnectionID {
    fileprivate init(_ handle: StreamHandle) { self.init(UInt32(handle.index)) }
}

extension StreamHandle {
    fileprivate init(_ id: ServerConnectionID) { self.init(index: Int32(id.number)) }
}
