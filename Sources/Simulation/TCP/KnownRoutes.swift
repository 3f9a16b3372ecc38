import LinkModels
import RunLog

/// What routers have said about the ways of new connections, by the family of the address and the
/// link on which these begin. As in Linux, a host forgets it after ten minutes
/// (`ip_rt_mtu_expires`).
struct KnownRoutes {
    private var routes: [Route] = []

    private struct Route {
        let link: Int32
        let family: AddressFamily
        let segment: UInt64
        let until: UInt64
    }

    private static let lifetime: UInt64 = 600_000_000_000

    /// Takes note of a packet if it is a router's message.
    @inline(__always)
    mutating func see(
        _ packet: UnsafePointer<Packet>, by link: Int32, _ fabric: borrowing NetworkFabric
    ) {
        if packet.pointee.isRoutersMessage { note(packet, to: link, fabric) }
    }

    @inline(never)
    private mutating func note(
        _ message: UnsafePointer<Packet>, to link: Int32, _ fabric: borrowing NetworkFabric
    ) {
        let family = message.pointee.family
        routes.removeAll { $0.link == link && $0.family == family }
        routes.append(
            Route(
                link: link, family: family, segment: message.pointee.sayableSegment,
                until: fabric.kernel.nowNanoseconds + Self.lifetime))
    }

    /// Returns the content of a full segment, if a router has said something about the way.
    func segment(
        by link: Int32, _ family: AddressFamily, _ fabric: borrowing NetworkFabric
    ) -> UInt64? {
        let now = fabric.kernel.nowNanoseconds
        return routes.first { $0.link == link && $0.family == family && $0.until > now }?.segment
    }
}
