package import Foundation
import Quantities
package import RunLog

/// The TCP connections of a run and its named flows as qlog traces, two for each: the client's and
/// the server's.
///
/// The events of a trace come one by one, in order of time; its head can be told in the end.
package struct QlogBook: RunLogReader {
    private let write: (_ trace: Int, _ event: Data) -> Void
    /// The only connection to follow, counted from 1; `nil`: all.
    private let chosen: Int?
    private var connections: [Connection] = []
    /// The latest connection of each flow number.
    private var latest: [UInt16: Int] = [:]
    private var openings = FlowOpenings()
    private var labels = FlowLabels()
    /// The packets on the links, by link and number there.
    private var travelling: [UInt64: Travel] = [:]
    /// The packets since windows were read, which come later and belong between them.
    private var waiting: [PacketRecord] = []

    private struct Connection {
        let flow: UInt16
        let synSequence: UInt32?
        let isFollowed: Bool
        /// The end that has opened it.
        let opener: Int
        var name: ConnectionName?
        /// A packet of a named flow at the end of a link, if a further link may follow.
        var arrival: (record: PacketRecord, travel: Travel)?
        /// The client's stream and the server's.
        var streams = [QlogStream(), QlogStream()]
        /// What the traces of client and server have told, and when it changed since.
        var told = [QlogMetrics(), QlogMetrics()]
        var changedAt: [UInt64?] = [nil, nil]
    }

    /// A packet on its way, and how many copies of it.
    private struct Travel {
        var connection: Int
        var number: UInt64
        var copies = 1
    }

    /// Begins to follow a run; `write` gets each event as JSON.
    package init(
        connection chosen: Int? = nil, write: @escaping (_ trace: Int, _ event: Data) -> Void
    ) {
        self.chosen = chosen
        self.write = write
    }

    package mutating func read(_ event: RunEvent) {
        if case .link(.shared(_, let terms)) = event.fact { labels.read(terms) }
        openings.read(event.fact, at: event.at)
        nameConnections()
    }

    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        waiting += packets.lazy.filter { [labels] in
            $0.flow < ShareBook.firstFlow && !$0.isPaced || labels[$0.flow] != nil
        }
    }

    package mutating func read(windows: [CongestionWindow]) {
        var next = 0
        for record in waiting {
            while next < windows.count, windows[next].at.nanoseconds < record.atNanoseconds {
                read(windows[next])
                next += 1
            }
            read(record)
        }
        waiting.removeAll(keepingCapacity: true)
        for window in windows[next...] { read(window) }
    }

    /// Tells what is left at the end of the run.
    package mutating func finish() {
        read(windows: [])
        for place in connections.indices {
            takeArrival(of: place)
            for end in 0...1 { tellMetrics(of: end, in: place, before: .max) }
        }
    }

    // MARK: Packets

    private mutating func read(_ record: PacketRecord) {
        let key = UInt64(record.link) << 32 | UInt64(record.packet)
        switch record.kind {
        case .sent: send(record, key)
        case .duplicated: travelling[key]?.copies += 1
        case .dropped: _ = arrival(of: key)
        case .delivered:
            guard let travel = arrival(of: key) else { return }
            takeArrival(of: travel.connection)
            if record.flow < ShareBook.firstFlow {
                deliver(record, travel)
            } else {
                connections[travel.connection].arrival = (record, travel)
            }
        case .captured: break
        }
    }

    private mutating func send(_ record: PacketRecord, _ key: UInt64) {
        let place = connection(of: record)
        guard connections[place].isFollowed else { return }
        if let arrival = connections[place].arrival, arrival.record.goesOn(as: record) {
            connections[place].arrival = nil
            travelling[key] = Travel(
                connection: arrival.travel.connection, number: arrival.travel.number)
            return
        }
        takeArrival(of: place)
        let sender = record.sender
        tellMetrics(of: sender, in: place, before: record.atNanoseconds)
        let (number, repeated) = connections[place].streams[sender].sends(record)
        let acknowledged = connections[place].streams[1 - sender].answers(record)
        travelling[key] = Travel(connection: place, number: number)
        for packet in repeated {
            let header = QlogHeader(number: packet.number, isSYN: packet.isSYN)
            append(
                QlogEvent(
                    at: record.atNanoseconds, "recovery:packet_lost", QlogLoss(header: header)),
                to: 2 * place + sender)
        }
        tell(record, number, acknowledged, "transport:packet_sent", by: sender, in: place)
        noteMetrics(of: sender, in: place, at: record.atNanoseconds)
    }

    private mutating func deliver(_ record: PacketRecord, _ travel: Travel) {
        let place = travel.connection
        let sender = record.sender
        tellMetrics(of: 1 - sender, in: place, before: record.atNanoseconds)
        connections[place].streams[sender].arrives(record, number: travel.number)
        let acknowledged = connections[place].streams[1 - sender].hears(record)
        tell(
            record, travel.number, acknowledged, "transport:packet_received", by: 1 - sender,
            in: place)
        noteMetrics(of: 1 - sender, in: place, at: record.atNanoseconds)
    }

    /// Delivers the packet that has waited at the end of a link: no further link has followed.
    private mutating func takeArrival(of place: Int) {
        guard let (record, travel) = connections[place].arrival else { return }
        connections[place].arrival = nil
        deliver(record, travel)
    }

    /// Takes a packet, or a copy of it, off its link.
    private mutating func arrival(of key: UInt64) -> Travel? {
        guard let travel = travelling[key] else { return nil }
        if travel.copies > 1 {
            travelling[key]?.copies -= 1
        } else {
            travelling[key] = nil
        }
        return travel
    }

    /// Returns the connection of a packet that is sent. A flow number is reused, but a SYN that is
    /// sent again keeps its sequence number.
    private mutating func connection(of record: PacketRecord) -> Int {
        let opens = record.flags.asksToOpen
        if let place = latest[record.flow],
            !opens || connections[place].synSequence == record.sequence
        {
            return place
        }
        let place = connections.count
        connections.append(
            Connection(
                flow: record.flow, synSequence: opens ? record.sequence : nil,
                isFollowed: chosen == nil || chosen == place + 1, opener: record.sender))
        latest[record.flow] = place
        guard record.flow < ShareBook.firstFlow else { return place }
        openings.begins(place, at: record.atNanoseconds)
        nameConnections()
        return place
    }

    private mutating func nameConnections() {
        while let (name, place) = openings.next() { connections[place].name = name }
    }

    // MARK: Events

    private func tell(
        _ record: PacketRecord, _ number: UInt64, _ acknowledged: [UInt64], _ name: String,
        by end: Int, in place: Int
    ) {
        let content = connections[place].streams[record.sender].frame(of: record)
        var frames = [content].compactMap(\.self)
        if record.flags.contains(.ack), content == nil || !acknowledged.isEmpty {
            frames.append(.ack(of: acknowledged))
        }
        let packet = QlogPacket(
            header: QlogHeader(record, number: number), frames: frames,
            raw: .init(length: record.size, payloadLength: record.payload))
        append(QlogEvent(at: record.atNanoseconds, name, packet), to: 2 * place + end)
    }

    private mutating func read(_ window: CongestionWindow) {
        guard let place = latest[window.flow], connections[place].isFollowed else { return }
        takeArrival(of: place)
        let opener = connections[place].opener
        let end = window.isOpeners ? opener : 1 - opener
        tellMetrics(of: end, in: place, before: window.at.nanoseconds)
        connections[place].streams[end].read(window)
        noteMetrics(of: end, in: place, at: window.at.nanoseconds)
    }

    /// Notes that the metrics of an end may have changed. They are told once for each moment.
    private mutating func noteMetrics(of end: Int, in place: Int, at nanoseconds: UInt64) {
        connections[place].changedAt[end] = nanoseconds
    }

    private mutating func tellMetrics(of end: Int, in place: Int, before nanoseconds: UInt64) {
        guard let at = connections[place].changedAt[end], at < nanoseconds else { return }
        connections[place].changedAt[end] = nil
        let metrics = connections[place].streams[end].metrics
        guard let changes = metrics.changes(since: connections[place].told[end]) else { return }
        connections[place].told[end] = metrics
        append(QlogEvent(at: at, "recovery:metrics_updated", changes), to: 2 * place + end)
    }

    private func append(_ event: some Encodable, to trace: Int) {
        write(trace, Self.data(of: event))
    }

    /// Returns a part of a qlog file as JSON.
    package static func data(of part: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        do { return try encoder.encode(part) } catch {
            preconditionFailure("a part of a qlog file cannot be encoded: \(error)")
        }
    }
}

extension PacketRecord {
    /// The end that has sent it: 0 for the client, 1 for the server.
    fileprivate var sender: Int { Int(link & 1) }

    /// Whether a packet that one link has delivered is sent on by the next.
    fileprivate func goesOn(as next: PacketRecord) -> Bool {
        link != next.link && sender == next.sender && atNanoseconds == next.atNanoseconds
            && sequence == next.sequence && acknowledgement == next.acknowledgement
            && size == next.size && flags == next.flags
    }
}

// MARK: Heads

extension QlogBook {
    /// Everything of a trace but its events.
    package struct Head: Encodable {
        /// The number of the trace, for which `write` was called.
        package let trace: Int
        private let title: String
        private let vantagePoint: VantagePoint
        private let commonFields: SharedFields

        private enum CodingKeys: CodingKey { case title, vantagePoint, commonFields }

        private struct VantagePoint: Encodable {
            var name: String
            var type: String
        }

        /// What is the same for all events.
        private struct SharedFields: Encodable {
            var groupId: String
            var protocolType: [String]
            var timeFormat: String
        }

        fileprivate init(_ trace: Int, of connection: String) {
            let end = trace.isMultiple(of: 2) ? "client" : "server"
            self.trace = trace
            title = "\(connection), \(end)"
            vantagePoint = VantagePoint(name: end, type: end)
            commonFields = SharedFields(
                groupId: connection, protocolType: ["TCP"], timeFormat: "absolute")
        }
    }

    /// The number of connections that the run had.
    package var connectionCount: Int { connections.count }

    /// The traces of the connections that were followed.
    package var heads: [Head] {
        connections.indices.filter { connections[$0].isFollowed }.flatMap { place in
            let flow = connections[place].flow
            let name =
                labels[flow] ?? connections[place].name.map { "\($0)" } ?? "flow \(flow)"
            return (0...1).map { Head(2 * place + $0, of: name) }
        }
    }
}
