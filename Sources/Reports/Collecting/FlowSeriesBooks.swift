import Quantities
import RunLog

/// The run's TCP connections over time. So that memory stays bounded, a limited number is followed
/// at a time; the connection with the fewest bytes gives way to a new one.
struct FlowSeriesBooks: Sendable {
    private static let limit = 64

    /// The number of connections so far.
    private(set) var count = 0
    private var flows: [Flow] = []
    private var books: [Book] = []
    private var openings = FlowOpenings()
    private var labels = FlowLabels()

    /// A flow number, and its latest connection.
    private struct Flow: Sendable {
        var isKnown = false
        var synSequence: UInt32?
        /// The place of the book; `nil` if the connection is not followed.
        var book: Int?
    }

    private struct Book: Sendable {
        /// The connection's number in order of beginning.
        let number: Int
        let flow: UInt16
        let label: String?
        let began: UInt64
        /// The link by which the opener sends, if its first packet was seen.
        let openerLink: UInt16
        var connection: ConnectionName?
        var up: StreamBook
        var down: StreamBook

        init(_ number: Int, _ record: PacketRecord, _ label: String?) {
            self.number = number
            self.label = label
            flow = record.flow
            began = record.atNanoseconds
            openerLink = record.link
            up = StreamBook(from: began)
            down = StreamBook(from: began)
        }

        var bytes: UInt64 { max(up.bytes, down.bytes) }

        var series: RunSeries.Flow {
            var series =
                up.bytes >= down.bytes
                ? up.series(of: flow, connection, from: .client)
                : down.series(of: flow, connection, from: .server)
            series.label = label
            return series
        }

        var isOpenedByClient: Bool { label == nil || openerLink.isMultiple(of: 2) }

        /// Whether a packet is where the opener sends and hears; a server that is further away is
        /// reached by several links.
        func sees(_ record: PacketRecord) -> Bool { record.link / 2 == openerLink / 2 }
    }

    /// Reads that a connection is opened; its SYN may have been read before.
    mutating func read(_ fact: RunEvent.Fact, at now: Instant) {
        openings.read(fact, at: now)
        nameBooks()
    }

    /// Reads that a flow shares a link; those with a name are followed.
    mutating func shares(_ terms: SharingTerms) { labels.read(terms) }

    mutating func read(_ record: PacketRecord) {
        let isOwn = record.flow < ShareBook.firstFlow
        guard isOwn || labels[record.flow] != nil, !record.isPaced else { return }
        let isUp = record.link.isMultiple(of: 2)
        let isSeen = record.kind == .captured
        let flow = Self.place(of: record.flow)
        if isSeen || record.kind == .sent {
            if begins(record) { begin(record) }
            guard let place = flows[flow].book, isOwn || books[place].sees(record)
            else { return }
            if isUp { books[place].up.sends(record) } else { books[place].down.sends(record) }
        }
        if isSeen || record.kind == .delivered {
            guard flow < flows.count, let place = flows[flow].book,
                isOwn || books[place].sees(record)
            else { return }
            if isUp { books[place].down.hears(record) } else { books[place].up.hears(record) }
        }
    }

    mutating func read(_ window: CongestionWindow) {
        let flow = Self.place(of: window.flow)
        guard flow < flows.count, let place = flows[flow].book,
            window.at.nanoseconds >= books[place].began
        else { return }
        // The opener of a named flow may be the server.
        if window.isOpeners == books[place].isOpenedByClient {
            books[place].up.read(window)
        } else {
            books[place].down.read(window)
        }
    }

    /// Returns the connections with the most bytes, in order of beginning.
    func busiest(_ count: Int) -> [RunSeries.Flow] {
        books.filter { $0.bytes > 0 }.sorted { ($0.bytes, $1.number) > ($1.bytes, $0.number) }
            .prefix(count).sorted { $0.number < $1.number }.map(\.series)
    }

    /// Whether a packet is the first of its connection. Numbers are reused, but a SYN that is sent
    /// again keeps its sequence number.
    private mutating func begins(_ record: PacketRecord) -> Bool {
        let place = Self.place(of: record.flow)
        while flows.count <= place { flows.append(Flow()) }
        let flow = flows[place]
        return !flow.isKnown || record.flags.asksToOpen && flow.synSequence != record.sequence
    }

    private mutating func begin(_ record: PacketRecord) {
        let book = Book(count, record, labels[record.flow])
        flows[Self.place(of: record.flow)] = Flow(
            isKnown: true, synSequence: record.flags.asksToOpen ? record.sequence : nil,
            book: place(for: book))
        count += 1
        guard record.kind == .sent, labels[record.flow] == nil else { return }
        openings.begins(book.number, at: book.began)
        nameBooks()
    }

    /// Puts a book to the others, and returns its place.
    private mutating func place(for book: Book) -> Int {
        let least =
            books.count < Self.limit
            ? nil : books.indices.min { books[$0].bytes < books[$1].bytes }
        guard let least else {
            books.append(book)
            return books.count - 1
        }
        let flow = Self.place(of: books[least].flow)
        if flows[flow].book == least { flows[flow].book = nil }
        books[least] = book
        return least
    }

    /// Returns the place of a flow; numbers of named flows count down from the highest.
    private static func place(of flow: UInt16) -> Int {
        flow < ShareBook.firstFlow ? 2 * Int(flow) : 2 * Int(UInt16.max - flow) + 1
    }

    private mutating func nameBooks() {
        while let (connection, number) = openings.next() {
            guard let place = books.firstIndex(where: { $0.number == number }) else { continue }
            books[place].connection = connection
        }
    }
}

/// Finds the connection of each flow in virtual time: the SYN leaves at the moment of the opening,
/// and several of one moment leave in the order of their openings. Where phones ask for addresses,
/// a connection opens with each of its attempts.
struct FlowOpenings: Sendable {
    private var asksForNames = false
    private var openings: [(connection: ConnectionName, at: UInt64)] = []
    private var flows: [(number: Int, at: UInt64)] = []

    mutating func read(_ fact: RunEvent.Fact, at now: Instant) {
        switch fact {
        case .network(.names): asksForNames = true
        case .connection(.opening(let connection, _, _)) where !asksForNames:
            openings.append((connection, now.nanoseconds))
        case .connection(.attempt(let connection, _, _, _)):
            openings.append((connection, now.nanoseconds))
        default: break
        }
    }

    mutating func begins(_ number: Int, at now: UInt64) { flows.append((number, now)) }

    /// Takes off a connection and its flow. What has no counterpart is forgotten.
    mutating func next() -> (ConnectionName, Int)? {
        while let opening = openings.first, let flow = flows.first {
            if opening.at <= flow.at { openings.removeFirst() }
            if flow.at <= opening.at { flows.removeFirst() }
            if opening.at == flow.at { return (opening.connection, flow.number) }
        }
        return nil
    }
}
