/// The latest window of each end of each connection, as on the wire.
///
/// A server's ends have one port, and so the port alone does not tell them apart.
struct OfferedWindows {
    private var latest: [End: Int] = [:]

    struct End: Hashable {
        /// As tshark counts connections.
        var stream: Int
        var port: Int
    }

    /// Notes a window; true if it is larger than the same end's previous window.
    mutating func opens(_ window: Int, by end: End) -> Bool {
        let before = latest.updateValue(window, forKey: end)
        return before.map { window > $0 } ?? false
    }
}
