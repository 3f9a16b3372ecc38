/// Several streams of bytes, the *channels*, in the one stream of a session: each piece of content
/// goes in a frame that names its channel. The host keeps the bytes.
///
/// Channel 0 opens with the session, and the client opens others by their first frames. A channel
/// ends in each direction by itself.
package struct PacedChannels: Sendable {
    private var rows = [Row(isKnown: true)]
    /// Frames that have not left whole, the first of them the oldest.
    private var leaving: [Frame] = []
    private var head = 0
    /// The length of all frames, and how much of that has left.
    private var framed: UInt64 = 0
    private var left: UInt64 = 0
    /// The beginning of a head, or how much content follows one.
    private var partOfHead: [UInt8] = []
    private var coming: (channel: Int, count: Int)?
    /// Content that the host has not read, of all channels.
    package private(set) var unread: UInt64 = 0
    /// Channels about which there may be news.
    private var fresh: [Int] = []
    private let side: PacedSide

    private struct Row {
        /// Whether this side has opened the channel, or heard of it.
        var isKnown = false
        var transmitted: UInt64 = 0
        var unread: UInt64 = 0
        var hasFinished = false
        var hasPeerFinished = false
        var isBroken = false
        /// What the host has been told.
        var hasToldContent = false
        var hasToldEnd = false
        var isOver = false
    }

    private struct Frame {
        var channel: Int
        var content: Range<UInt64>
    }

    /// What a frame's head has in the place of a length.
    private enum Mark {
        static let end: UInt16 = 0
        static let broken: UInt16 = 0xffff
    }

    /// What the stream holds next.
    package enum Next: Hashable, Sendable {
        /// So many bytes of a head.
        case head(Int)
        case content(channel: Int, Int)
    }

    /// A session has at most so many channels.
    package static let most = 1_024
    /// Channel and length.
    package static let headSize = 4
    /// The content of a frame.
    package static let mostContent = 16 << 10
    /// The host deals out nothing more as long as so much was not read.
    package static let mostUnread: UInt64 = 4 << 20

    package init(at side: PacedSide) { self.side = side }

    // MARK: What the host does

    /// Opens another channel; `nil` if the session has had as many as it may.
    package mutating func open() -> Int? {
        guard rows.count < Self.most else { return nil }
        rows.append(Row(isKnown: true))
        return rows.count - 1
    }

    /// How much content there is room for if the stream has so much room.
    package func room(in stream: UInt64) -> UInt64 {
        let heads = UInt64(Self.headSize) * (stream / UInt64(Self.mostContent) + 1)
        return stream - min(stream, heads)
    }

    package func mayWrite(on channel: Int) -> Bool { !rows[channel].hasFinished }

    /// Returns the head of a frame with so much content, which is written behind it.
    package mutating func frame(of count: Int, on channel: Int) -> [UInt8] {
        precondition((1...Self.mostContent).contains(count), "a frame has no \(count) B")
        return head(channel, UInt16(count), content: count)
    }

    /// Ends what this side sends; returns a head without content.
    package mutating func finish(_ channel: Int) -> [UInt8] {
        rows[channel].hasFinished = true
        drop(channel)
        return head(channel, Mark.end)
    }

    /// Breaks a channel off in both directions; returns a head without content.
    package mutating func breakOff(_ channel: Int) -> [UInt8] {
        rows[channel].hasFinished = true
        rows[channel].isOver = true
        drop(channel)
        return head(channel, Mark.broken)
    }

    /// Notes that the host reads so much content.
    package mutating func read(_ count: UInt64, on channel: Int) {
        rows[channel].unread -= count
        rows[channel].hasToldContent = false
        unread -= count
    }

    package func unread(on channel: Int) -> UInt64 { rows[channel].unread }

    /// Whether this side has ended all channels.
    package var hasFinished: Bool { rows.allSatisfy { $0.hasFinished || !$0.isKnown } }

    // MARK: What has left

    /// Notes how much of the stream has left.
    package mutating func transmitted(_ count: UInt64) {
        while head < leaving.count, left < count {
            let frame = leaving[head]
            let upTo = min(frame.content.upperBound, count)
            if upTo > frame.content.lowerBound {
                rows[frame.channel].transmitted += upTo - max(left, frame.content.lowerBound)
            }
            left = upTo
            if upTo == frame.content.upperBound { head += 1 }
        }
        guard head > 64, head > leaving.count / 2 else { return }
        leaving.removeFirst(head)
        head = 0
    }

    /// Content of a channel that has left.
    package func transmitted(on channel: Int) -> UInt64 { rows[channel].transmitted }

    // MARK: What has arrived

    package var next: Next {
        if let coming { return .content(channel: coming.channel, coming.count) }
        return .head(Self.headSize - partOfHead.count)
    }

    /// Takes bytes of a head; returns false if no peer would send it.
    package mutating func take(head bytes: some Sequence<UInt8>) -> Bool {
        partOfHead += bytes
        guard partOfHead.count == Self.headSize else { return true }
        let channel = Int(partOfHead[0]) << 8 | Int(partOfHead[1])
        let length = UInt16(partOfHead[2]) << 8 | UInt16(partOfHead[3])
        partOfHead = []
        guard open(channel), !rows[channel].hasPeerFinished else { return false }
        switch length {
        case Mark.end: rows[channel].hasPeerFinished = true
        case Mark.broken:
            rows[channel].hasPeerFinished = true
            rows[channel].isBroken = true
            rows[channel].hasFinished = true
        case 1...UInt16(Self.mostContent): coming = (channel, Int(length))
        default: return false
        }
        fresh.append(channel)
        return true
    }

    /// Takes so much content of the frame; returns whether somebody will read it.
    package mutating func take(_ count: Int) -> Bool {
        guard let (channel, left) = coming else { preconditionFailure("no frame is open") }
        coming = left > count ? (channel, left - count) : nil
        guard !rows[channel].hasFinished else { return false }
        rows[channel].unread += UInt64(count)
        unread += UInt64(count)
        fresh.append(channel)
        return true
    }

    // MARK: News

    /// Returns what the hosts of the channels have not been told.
    package mutating func news() -> [(channel: Int, PacedEnd.News)] {
        var news: [(Int, PacedEnd.News)] = []
        for channel in fresh where !rows[channel].isOver {
            if !rows[channel].isKnown {
                rows[channel].isKnown = true
                news.append((channel, .opened))
            }
            if rows[channel].unread > 0, !rows[channel].hasToldContent {
                rows[channel].hasToldContent = true
                news.append((channel, .content))
            }
            if rows[channel].isBroken {
                rows[channel].isOver = true
                news.append((channel, .over(.reset)))
            } else if rows[channel].hasPeerFinished {
                tellEnd(of: channel, in: &news)
            }
        }
        fresh = []
        return news
    }

    private mutating func tellEnd(of channel: Int, in news: inout [(Int, PacedEnd.News)]) {
        if rows[channel].hasFinished {
            rows[channel].isOver = true
            news.append((channel, .over(.closed)))
        } else if !rows[channel].hasToldEnd {
            rows[channel].hasToldEnd = true
            news.append((channel, .peerFinished))
        }
    }

    /// Returns what news of the session means for the hosts of its channels.
    package mutating func heard(_ change: PacedEnd.News) -> [(channel: Int, PacedEnd.News)] {
        var news: [(Int, PacedEnd.News)] = []
        for channel in rows.indices where rows[channel].isKnown && !rows[channel].isOver {
            switch change {
            case .opened:
                if channel == 0 { news.append((channel, change)) }
            case .content: break
            case .room: news.append((channel, change))
            case .peerFinished:
                rows[channel].hasPeerFinished = true
                tellEnd(of: channel, in: &news)
            case .over:
                rows[channel].isOver = true
                rows[channel].hasFinished = true
                news.append((channel, change))
            }
        }
        return news
    }

    // MARK: Private parts

    /// Opens a channel of which the peer speaks; returns false if it may not.
    private mutating func open(_ channel: Int) -> Bool {
        guard channel < Self.most, side == .server || channel < rows.count else { return false }
        while rows.count <= channel { rows.append(Row()) }
        return true
    }

    /// Forgets what was not read of a channel.
    private mutating func drop(_ channel: Int) {
        unread -= rows[channel].unread
        rows[channel].unread = 0
        fresh.append(channel)
    }

    private mutating func head(
        _ channel: Int, _ length: UInt16, content count: Int = 0
    ) -> [UInt8] {
        let start = framed + UInt64(Self.headSize)
        framed = start + UInt64(count)
        leaving.append(Frame(channel: channel, content: start..<framed))
        return [
            UInt8(channel >> 8), UInt8(channel & 0xff), UInt8(length >> 8), UInt8(length & 0xff),
        ]
    }
}
