import TransferEngine

/// What the parent tells the transfer daemon's process, a line each on its standard input. When
/// that ends, the process does.
enum DaemonMessage: Hashable, Sendable, Codable {
    case asked(by: UInt16, DaemonRequest)
    /// What the daemon tells the app from then on is for this launch of it.
    case app(UInt16, DaemonClientStage, launch: UInt32)
    /// The app has begun as on the first day, and its tasks are counted on.
    case renumber(UInt16, tasksBefore: UInt64)
    case network(NetworkOrder)
    case charger(isConnected: Bool)

    var line: String { MessageText.of(self) + "\n" }

    /// Our own parent wrote it: what cannot be read is a mistake of this house.
    init(line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        guard let message = MessageText.read(DaemonMessage.self, in: text) else {
            preconditionFailure("the parent told “\(text)”")
        }
        self = message
    }
}

/// What the daemon's process tells its parent, a line each among its events.
enum DaemonWord: Hashable, Sendable, Codable {
    /// A connection stands, and this is the daemon's end of it.
    case connected(UInt32, from: SocketAddress)
    /// Nothing will come of a connection any more, and its peer does not know it.
    case abandoned(UInt32)
    /// An app is told something, if it still runs as this launch.
    case tells(UInt16, launch: UInt32, DaemonNews)
    /// Let the app run in the background.
    case wakes(UInt16)
    /// It has heard so many messages, and does nothing until it hears another one.
    case rests(after: UInt64)

    private static let mark = "daemon "

    var line: String { Self.mark + MessageText.of(self) + "\n" }

    /// `nil` if the line is an event.
    init?(line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix(Self.mark) else { return nil }
        let words = text.dropFirst(Self.mark.count)
        guard let word = MessageText.read(DaemonWord.self, in: words) else { return nil }
        self = word
    }
}
