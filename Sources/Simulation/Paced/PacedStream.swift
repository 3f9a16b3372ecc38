import Content
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// A session of the paced transport between a client and the server: a stream of bytes in each
/// direction, or several in channels.
///
/// Both ends are here. Either may die without a word; the other then finds out by the silence.
struct PacedStream: Sendable {
    let session: UInt64
    let interface: Int
    let number: Int
    /// The ends by their sides; none once all is over.
    var ends: [PacedEnd]
    /// The way of what each end sends.
    var ways: [PacedWay]
    /// What the host of each end has written and the other has not read.
    var contents = [SegmentTable(), SegmentTable()]
    /// The channels at each end, and what has come by them; none if the session is one stream.
    var channels: [PacedChannels] = []
    var inboxes: [[SegmentTable]] = [[], []]
    /// The translator in front of the client, and the client's address as the server knows it.
    var translation: PacedTranslation?
    var client = PacedPeer<UInt32>(at: 0)
    /// Whether there is no process at an end.
    var isDead: [Bool]
    /// Whether the client has ended the session, and will open no channel.
    var isPeerThrough = false
    /// What has come for each end whose process stands still.
    var unheard: [[KeptPacket]?] = [nil, nil]
    /// What is left of each end once all is over.
    var remains = [Remains(), Remains()]

    /// What a system keeps for a process that does not receive, as 200 kB of full packets.
    static let mostUnheard = 133

    struct Remains: Sendable {
        var unread: UInt64 = 0
        var transmitted: UInt64 = 0
    }

    /// `back` are the rates of the server's end; `nil` if the server does not know the session.
    init(
        _ session: UInt64, _ settings: PacedSettings, back: PacedSettings?, number: Int,
        hasChannels: Bool, over interface: Int, behind translator: TranslatorPlan?,
        packetSize: Int, at now: Instant
    ) {
        translation = translator.map { PacedTranslation($0) }
        if hasChannels {
            channels = [PacedChannels(at: .client), PacedChannels(at: .server)]
        }
        self.session = session
        self.interface = interface
        self.number = number
        ends = [
            PacedEnd(settings, packetSize: packetSize, at: now),
            PacedEnd(back ?? settings, packetSize: packetSize, at: now),
        ]
        isDead = [false, back == nil]
        let links = (NetworkHost.client.link(of: interface), NetworkHost.server.link(of: interface))
        ways = [
            PacedWay(to: PacedStack.endpoint(of: number, .server), over: links.0, links.1),
            PacedWay(to: PacedStack.endpoint(of: number, .client), over: links.1, links.0),
        ]
        ends[0].greet(at: now)
    }

    /// Whether nothing will happen to the stream again.
    var isGone: Bool {
        deadline == nil && ends.indices.allSatisfy { ends[$0].isOver || isDead[$0] }
    }

    /// Forgets all but what the hosts may still read and ask for.
    mutating func retire() {
        for (place, end) in ends.enumerated() {
            remains[place] = Remains(unread: end.unread, transmitted: end.transmitted)
        }
        ends = []
        ways = []
        isDead = [true, true]
    }

    /// When something is due at one of the ends.
    var deadline: Instant? {
        var next: Instant?
        for (place, end) in ends.enumerated() where !isDead[place] && unheard[place] == nil {
            next.advance(to: end.deadline)
        }
        return next
    }

    // MARK: What the hosts do

    func handle(of side: PacedSide, _ channel: Int) -> StreamHandle {
        PacedStack.handle(of: number, side, channel)
    }

    /// Opens a channel beside those there are; `nil` if it cannot.
    mutating func open(_ news: inout HostNews) -> Int? {
        guard !channels.isEmpty, !isDead[0], !ends.isEmpty, ends[0].mayWrite,
            let channel = channels[0].open()
        else { return nil }
        news.append(.connected(handle(of: .client, channel)))
        return channel
    }

    mutating func send(
        _ side: PacedSide, _ channel: Int, _ segments: [Segment], _ fabric: inout NetworkFabric
    ) {
        let place = side.rawValue
        guard !isDead[place], ends[place].mayWrite else { return }
        if channels.isEmpty {
            for segment in segments { write(side, segment) }
        } else if channels[place].mayWrite(on: channel) {
            var rest = SegmentTable()
            for segment in segments { rest.append(segment) }
            var left = segments.length.bytes
            while left > 0 {
                let count = min(left, UInt64(PacedChannels.mostContent))
                write(side, .bytes(channels[place].frame(of: Int(count), on: channel)))
                var content: [Segment] = []
                rest.take(count, into: &content)
                for segment in content { write(side, segment) }
                left -= count
            }
        }
        sendPackets(side, &fabric)
    }

    mutating func write(_ side: PacedSide, _ segment: Segment) {
        contents[side.rawValue].append(segment)
        ends[side.rawValue].write(segment.length.bytes)
    }

    mutating func pace(_ side: PacedSide, _ settings: PacedSettings) {
        guard !isDead[side.rawValue] else { return }
        ends[side.rawValue].settings = settings
    }

    mutating func read(
        _ side: PacedSide, _ channel: Int, into segments: inout [Segment],
        _ fabric: inout NetworkFabric, _ news: inout HostNews
    ) {
        let place = side.rawValue
        guard channels.isEmpty else {
            let count = channels[place].unread(on: channel)
            guard count > 0 else { return }
            inboxes[place][channel].take(count, into: &segments)
            channels[place].read(count, on: channel)
            if !isDead[place] { tell(side, &fabric, &news) }
            return
        }
        let count: UInt64
        if ends.isEmpty {
            count = remains[place].unread
            remains[place].unread = 0
        } else {
            count = ends[place].unread
            ends[place].read(count, at: fabric.kernel.now)
        }
        contents[side.other.rawValue].take(count, into: &segments)
        if !isDead[place] { sendReports(side, &fabric) }
    }

    /// Deals out to the channels what has arrived.
    mutating func dealOut(_ side: PacedSide, _ fabric: inout NetworkFabric) {
        let place = side.rawValue
        var hasRead = false
        while ends[place].unread > 0, channels[place].unread < PacedChannels.mostUnread {
            var content: [Segment] = []
            switch channels[place].next {
            case .head(let size):
                let count = min(UInt64(size), ends[place].unread)
                take(count, side, into: &content, at: fabric.kernel.now)
                for case .bytes(let bytes) in content {
                    guard channels[place].take(head: bytes) else {
                        preconditionFailure("an end has sent \(bytes) as the head of a frame")
                    }
                }
            case .content(let channel, let size):
                let count = min(UInt64(size), ends[place].unread)
                take(count, side, into: &content, at: fabric.kernel.now)
                guard channels[place].take(Int(count)) else { continue }
                while inboxes[place].count <= channel { inboxes[place].append(SegmentTable()) }
                for segment in content { inboxes[place][channel].append(segment) }
            }
            hasRead = true
        }
        if hasRead { sendReports(side, &fabric) }
    }

    mutating func take(
        _ count: UInt64, _ side: PacedSide, into segments: inout [Segment], at now: Instant
    ) {
        contents[side.other.rawValue].take(count, into: &segments)
        ends[side.rawValue].read(count, at: now)
    }

    mutating func finish(
        _ side: PacedSide, _ channel: Int, _ fabric: inout NetworkFabric, _ news: inout HostNews
    ) {
        let place = side.rawValue
        guard !isDead[place] else { return }
        if !channels.isEmpty, ends[place].isOpen, ends[place].mayWrite {
            guard channels[place].mayWrite(on: channel) else { return }
            write(side, .bytes(channels[place].finish(channel)))
        }
        if channels.isEmpty || !ends[place].isOpen || isThrough(side) { ends[place].finish() }
        // Who has greeted nobody leaves nothing behind.
        if !ends[place].isOpen { isDead[place] = true }
        sendPackets(side, &fabric)
        tell(side, &fabric, &news)
    }

    /// Whether an end will open no channel and write on none.
    func isThrough(_ side: PacedSide) -> Bool {
        channels[side.rawValue].hasFinished && (side == .client || isPeerThrough)
    }

    /// Breaks the stream off; the peer is told. The host hears of it if there is a reason.
    mutating func abort(
        _ side: PacedSide, _ channel: Int, because why: ConnectionEnd?,
        _ fabric: inout NetworkFabric, _ news: inout HostNews
    ) {
        let place = side.rawValue
        guard !isDead[place], !ends[place].isOver else { return }
        var isLast = true
        if !channels.isEmpty, ends[place].isOpen, ends[place].mayWrite {
            guard channels[place].mayWrite(on: channel) else { return }
            write(side, .bytes(channels[place].breakOff(channel)))
            isLast = isThrough(side)
        }
        if isLast { ends[place].abort(at: fabric.kernel.now) }
        sendPackets(side, &fabric)
        if let why { news.append(.ended(handle(of: side, channel), why)) }
    }

    /// Ends one end without a word to its peer. The host hears of it if there is a reason.
    mutating func vanish(_ side: PacedSide, because why: ConnectionEnd?, _ news: inout HostNews) {
        let place = side.rawValue
        guard !isDead[place] else { return }
        isDead[place] = true
        let isOver = ends[place].isOver
        ends[place].vanish()
        guard !isOver, let why else { return }
        let living = channels.isEmpty ? [0] : channels[place].heard(.over(.reset)).map(\.channel)
        for channel in living { news.append(.ended(handle(of: side, channel), why)) }
    }

    /// Leads all later packets to nowhere.
    mutating func cutWay(_ fabric: inout NetworkFabric) {
        for place in ways.indices {
            let (there, back) = (ways[place].senderLink, ways[place].receiverLink)
            ways[place].senderLink = fabric.linkToNowhere(inPlaceOf: there)
            ways[place].receiverLink = fabric.linkToNowhere(inPlaceOf: back)
        }
    }

    func room(_ side: PacedSide, _ channel: Int) -> ByteCount {
        let place = side.rawValue
        guard !isDead[place] else { return .zero }
        guard !channels.isEmpty else { return ByteCount(ends[place].room) }
        guard channels[place].mayWrite(on: channel) else { return .zero }
        return ByteCount(channels[place].room(in: ends[place].room))
    }

    /// Bytes sent, without repetitions.
    func transmitted(_ side: PacedSide, _ channel: Int) -> ByteCount {
        let place = side.rawValue
        guard channels.isEmpty else {
            return ByteCount(channels[place].transmitted(on: channel))
        }
        return ByteCount(ends.isEmpty ? remains[place].transmitted : ends[place].transmitted)
    }
}
