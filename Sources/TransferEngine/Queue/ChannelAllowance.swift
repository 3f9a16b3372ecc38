import Protocols
import Quantities

/// How many files of a session may move at once over channels of the paced transport.
///
/// Short files wait for answers most of the time, so that it takes many of them to keep a line
/// busy. Long ones keep it busy by themselves, and would only delay each other.
struct ChannelAllowance: Hashable, Sendable {
    private(set) var allowed = Attempt.mostConnections
    /// Channels that were opened.
    var opened = 1

    private static let most = 256
    private static let longest = ByteCount(256 * 1024)

    /// Whether the session of the transport has had as many channels as it may.
    var isSpent: Bool { opened >= PacedChannels.most }

    /// Allows one more for each short file that has arrived, and half as many after a long one.
    mutating func completed(_ size: ByteCount) {
        allowed =
            size <= Self.longest
            ? min(allowed + 1, Self.most) : max(allowed / 2, Attempt.mostConnections)
    }
}
