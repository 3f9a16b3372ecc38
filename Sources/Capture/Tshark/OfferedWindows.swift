/// The latest window of each end of each connection, as on the wire. The port alone does not
/// identify an end, because all connections share the server's port.
struct OfferedWindows {
    private var latest: [End: Int] = [:]

    struct End: Hashable {
        /// The connection's number in tshark.
        var stream: Int
        var port: Int
    }

    /// Notes a window; true if it is larger than the same end's previous window.
    mutating func opens(_ window: Int, by end: End) -> Bool {
        let before = latest.updateValue(window, forKey: end)
        return before.map { window > $0 } ?? false
    }
}
