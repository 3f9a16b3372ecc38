import LinkModels

/// What routers have said about the ways of new connections, by the links on which these begin. As
/// in Linux, a host forgets it after ten minutes (`ip_rt_mtu_expires`).
struct KnownRoutes {
    private var routes: [Route] = []

    private struct Route {
        let link: Int32
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
        routes.removeAll { $0.link == link }
        routes.append(
            Route(
                link: link, segment: message.pointee.sayableSegment,
                until: fabric.kernel.nowNanoseconds + Self.lifetime))
    }

    /// Returns the content of a full segment, as far as the way is known.
    func segment(by link: Int32, _ fabric: borrowing NetworkFabric) -> UInt64 {
        let now = fabric.kernel.nowNanoseconds
        return routes.first { $0.link == link && $0.until > now }?.segment ?? Packet.usualSegment
    }
}
