import Content
import Device
import Quantities
import RunLog

/// A captive portal in the virtual network.
struct VirtualPortal: Sendable {
    private var connections: [StreamHandle: CaptivePortal] = [:]

    /// Returns whether the portal holds a connection. Fast, because every packet asks, and the
    /// answer is nearly always no.
    func has(_ handle: StreamHandle) -> Bool {
        !connections.isEmpty && connections[handle] != nil
    }

    mutating func accepted(_ handle: StreamHandle, answersPage: Bool) {
        connections[handle] = CaptivePortal(answersPage: answersPage)
    }

    mutating func ended(_ handle: StreamHandle) { connections[handle] = nil }

    mutating func readable(_ handle: StreamHandle, of network: inout SecuredNetwork) {
        var segments: [Segment] = []
        network.read(handle, into: &segments)
        for case .bytes(let bytes) in segments {
            guard let request = connections[handle]?.hear(bytes),
                let answer = connections[handle]?.answer
            else { continue }
            let interface = UInt16(network.transport.interface(of: handle))
            network.log.record(
                .network(.portalAnswered(interface: interface, request: request)),
                at: network.now)
            network.send(handle, [.bytes(answer)])
            network.finish(handle)
        }
    }
}
