/// A port on which a host listens.
struct PortListener {
    var host: NetworkHost
    var port: UInt16
    var onlyCounts = false

    func isFor(_ destination: PortListener) -> Bool {
        host == destination.host && port == destination.port
    }
}
