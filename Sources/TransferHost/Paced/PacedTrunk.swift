import Glibc
package import Protocols
package import Quantities

/// One end of a session over the paced transport with the bytes of its channels. A session without
/// channels has one stream, as if it were channel 0.
package struct PacedTrunk: ~Copyable {
    private var line: PacedLine
    private var channels: PacedChannels?
    /// What has come by each channel, and was not read.
    private var inboxes: [[UInt8]] = []
    /// Heads of frames for which there was no room.
    private var backlog: [UInt8] = []
    private let side: PacedSide
    /// Whether the client has ended the session, and will open no channel.
    private var isPeerThrough = false
    /// Whether the peer has sent what none of its kind would send; told once.
    private var isMalformed = false

    package init(
        _ keys: PacedKeys, session: UInt64, at side: PacedSide, _ settings: PacedSettings,
        hasChannels: Bool, overIPv6 isIPv6: Bool = false, at now: Instant
    ) {
        line = PacedLine(
            keys, session: session, at: side, settings, overIPv6: isIPv6, at: now)
        channels = hasChannels ? PacedChannels(at: side) : nil
        self.side = side
    }

    // MARK: Channels

    package var settings: PacedSettings {
        get { line.settings }
        set { line.settings = newValue }
    }

    /// Opens another channel; `nil` if there is none to be had.
    package mutating func open() -> Int? { channels?.open() }

    /// How many bytes may be written now.
    package func room(on channel: Int) -> Int {
        guard let channels else { return line.room }
        guard backlog.isEmpty, channels.mayWrite(on: channel) else { return 0 }
        return Int(channels.room(in: UInt64(line.room)))
    }

    /// Bytes of a channel that have left, without repetitions.
    package func transmitted(on channel: Int) -> ByteCount {
        channels.map { ByteCount($0.transmitted(on: channel)) } ?? line.transmitted
    }

    /// Takes bytes to send, as many as there is room for; returns how many.
    package mutating func write(_ bytes: UnsafeRawBufferPointer, on channel: Int) -> Int {
        guard channels != nil else { return line.write(bytes) }
        var done = 0
        while done < bytes.count {
            let count = min(bytes.count - done, room(on: channel), PacedChannels.mostContent)
            guard count > 0, let head = channels?.frame(of: count, on: channel) else { break }
            put(head)
            _ = line.write(UnsafeRawBufferPointer(rebasing: bytes[done..<done + count]))
            done += count
        }
        return done
    }

    package func hasUnread(on channel: Int) -> Bool {
        channels.map { $0.unread(on: channel) > 0 } ?? line.hasUnread
    }

    /// Returns bytes of a channel that have arrived, at most so many.
    package mutating func read(atMost limit: Int, on channel: Int, at now: Instant) -> [UInt8] {
        guard channels != nil else { return line.read(atMost: limit, at: now) }
        guard channel < inboxes.count, !inboxes[channel].isEmpty else { return [] }
        let bytes: [UInt8]
        if inboxes[channel].count <= limit {
            bytes = inboxes[channel]
            inboxes[channel] = []
        } else {
            bytes = Array(inboxes[channel].prefix(limit))
            inboxes[channel].removeFirst(limit)
        }
        channels?.read(UInt64(bytes.count), on: channel)
        dealOut(at: now)
        return bytes
    }

    /// Writes no more on a channel, and drops what still comes by it if nobody will read that.
    package mutating func finish(_ channel: Int, ignoring: Bool) {
        guard channels != nil else {
            line.finish()
            if ignoring { line.ignore() }
            return
        }
        guard channels?.mayWrite(on: channel) == true else { return }
        if let head = channels?.finish(channel) { put(head) }
        forget(channel)
        finishIfThrough()
    }

    /// Breaks a channel off in both directions, and the session with its last one.
    package mutating func breakOff(_ channel: Int, at now: Instant) {
        guard channels != nil else { return line.abort(at: now) }
        guard channels?.mayWrite(on: channel) == true else { return }
        if let head = channels?.breakOff(channel) { put(head) }
        forget(channel)
        if isThrough { line.abort(at: now) }
    }

    private mutating func forget(_ channel: Int) {
        if channel < inboxes.count { inboxes[channel] = [] }
    }

    /// Whether this end will open no channel and write on none.
    private var isThrough: Bool {
        channels?.hasFinished == true && (side == .client || isPeerThrough)
    }

    private mutating func finishIfThrough() {
        if isThrough, backlog.isEmpty { line.finish() }
    }

    /// Puts the head of a frame into the stream, before everything that follows.
    private mutating func put(_ head: [UInt8]) {
        backlog += head
        flush()
    }

    private mutating func flush() {
        guard !backlog.isEmpty else { return }
        let count = backlog.withUnsafeBytes { line.write($0) }
        backlog.removeFirst(count)
    }

    // MARK: The session

    package mutating func wasRefused() -> [PacedEnd.News] { line.wasRefused() }

    /// Whether nothing will be sent any more.
    package var isGone: Bool { line.isGone }

    /// Returns what the hosts of the channels have not been told.
    package mutating func news() -> [(channel: Int, PacedEnd.News)] {
        let changes = line.news()
        guard channels != nil else { return changes.map { (0, $0) } }
        var news = channels?.news() ?? []
        if isMalformed {
            isMalformed = false
            news += heard(.over(.reset))
        }
        for change in changes { news += heard(change) }
        return news
    }

    /// Returns what news of the session means for its channels.
    package mutating func heard(_ change: PacedEnd.News) -> [(channel: Int, PacedEnd.News)] {
        guard channels != nil else { return [(0, change)] }
        if change == .peerFinished {
            isPeerThrough = true
            finishIfThrough()
        }
        return channels?.heard(change) ?? []
    }

    /// Deals out to the channels what has arrived.
    private mutating func dealOut(at now: Instant) {
        while line.hasUnread, let next = channels?.next,
            channels.map({ $0.unread < PacedChannels.mostUnread }) == true
        {
            switch next {
            case .head(let size):
                let head = line.read(atMost: size, at: now)
                if channels?.take(head: head) == false {
                    isMalformed = true
                    return line.abort(at: now)
                }
            case .content(let channel, let size):
                let bytes = line.read(atMost: size, at: now)
                guard channels?.take(bytes.count) == true else { continue }
                while inboxes.count <= channel { inboxes.append([]) }
                inboxes[channel] += bytes
            }
        }
    }

    // MARK: Another address of the peer

    /// Grows with each datagram that is newer than all before.
    package var newest: UInt64 { line.newest }

    /// Whether the peer has answered the last challenge.
    package var hasAnswer: Bool { line.hasAnswer }

    /// Adds a probe for another address.
    package mutating func challenge(into batch: some DatagramRoom, at now: Instant) {
        line.challenge(into: batch, at: now)
    }

    /// Sends to another address from now on.
    package mutating func moves(at now: Instant) { line.moves(at: now) }

    // MARK: Datagrams

    /// When a datagram is due.
    package var deadline: Instant? { line.deadline }

    /// Adds all datagrams that are due, as far as there is room.
    package mutating func send(into batch: some DatagramRoom, by now: () -> Instant) {
        if !backlog.isEmpty {
            flush()
            finishIfThrough()
        }
        line.send(into: batch, by: now)
        channels?.transmitted(line.transmitted.bytes)
    }

    /// Takes a datagram with this head, whose bytes it changes; returns false if it is not genuine.
    package mutating func take(
        _ head: PacedHead, _ datagram: UnsafeMutableRawBufferPointer, at now: Instant
    ) -> Bool {
        guard line.take(head, datagram, at: now) else { return false }
        if channels != nil { dealOut(at: now) }
        return true
    }
}
