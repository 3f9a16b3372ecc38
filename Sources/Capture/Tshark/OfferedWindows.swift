/// The window that each end of each connection has offered last, as on the wire.
///
/// A server's ends have one port, and so the port alone does not tell them apart.
struct OfferedWindows {
    private var latest: [End: Int] = [:]

    struct End: Hashable {
        /// As tshark counts connections.
        var stream: Int
        var port: Int
    }

    /// Whether this is more than the same end has offered before.
    mutating func opens(_ window: Int, by end: End) -> Bool {
        let before = latest.updateValue(window, forKey: end)
        return before.map { window > $0 } ?? false
    }
}
