import Content
import DocrootServer
import Facts
import Quantities
import RunPlan

/// The clients beside the server, which make the plan's visits.
///
/// Their bytes reach the server at once, so that they change nothing for the run's links. Their
/// connections are counted from the upper half of the server's numbers.
struct VisitorTable: Sendable {
    private let visits: [Visit]
    /// The clients that are connected.
    private var visitors: [Visitor] = []
    private var openedCount: UInt32 = 0

    private static let first: UInt32 = 1 << 31
    static let address = ClientAddress(0xc633_6407)

    init(_ visits: [Visit]) { self.visits = visits }

    private struct Visitor: Sendable {
        let id: ServerConnectionID
        let name: String?
        /// What is still to be sent, with its time, in order.
        var pieces: [(at: Instant, bytes: [UInt8])] = []
        var hangsUp = false
        /// The visits whose answers have yet to come.
        var awaited: [Int] = []
        var answer = VisitorAnswer()
        var isHeld = false

        /// Whether it hangs up, as nothing is left to do on its connection.
        var isLeaving: Bool {
            pieces.isEmpty && (hangsUp || name == nil && awaited.isEmpty)
        }
    }

    /// What a visitor does to the server.
    enum Step {
        case connect(ServerConnectionID)
        case send(ServerConnectionID, [UInt8])
        case hangUp(ServerConnectionID)
    }

    static func owns(_ id: ServerConnectionID) -> Bool { id.number >= first }

    /// Whether there was any visit.
    var hasBegun: Bool { openedCount > 0 }

    var nextDeadline: Instant? {
        if visitors.contains(where: \.isLeaving) { return .start }
        return visitors.compactMap { $0.isHeld ? nil : $0.pieces.first?.at }.min()
    }

    // MARK: Visits

    /// Begins a visit; returns the connection if it has to be opened.
    mutating func begin(_ name: String, at now: Instant) -> (Step?, ServerFact)? {
        guard let index = visits.firstIndex(where: { $0.name == name }) else { return nil }
        let visit = visits[index]
        var step: Step?
        if visit.connection == nil || !visitors.contains(where: { $0.name == visit.connection }) {
            let id = ServerConnectionID(Self.first + openedCount)
            openedCount += 1
            visitors.append(Visitor(id: id, name: visit.connection))
            step = .connect(id)
        }
        let place = visitors.lastIndex { $0.name == visit.connection } ?? visitors.count - 1
        visitors[place].awaited.append(index)
        visitors[place].hangsUp = visit.hangsUp
        let size = visit.pieces?.size ?? max(visit.bytes.count, 1)
        var time = max(now, visitors[place].pieces.last?.at ?? now)
        for start in stride(from: 0, to: visit.bytes.count, by: size) {
            let piece = Array(visit.bytes[start..<min(start + size, visit.bytes.count)])
            visitors[place].pieces.append((time, piece))
            time = time + (visit.pieces?.pause ?? .zero)
        }
        return (step, .visited(visit.name, request: visit.title))
    }

    /// Returns the next thing that a visitor does by now.
    mutating func next(at now: Instant) -> Step? {
        for place in visitors.indices where !visitors[place].isHeld {
            guard let piece = visitors[place].pieces.first, piece.at <= now else { continue }
            visitors[place].pieces.removeFirst()
            return .send(visitors[place].id, piece.bytes)
        }
        let leaver = visitors.firstIndex(where: \.isLeaving)
        return leaver.map { .hangUp(visitors[$0].id) }
    }

    // MARK: What the server does

    mutating func hold(_ id: ServerConnectionID, _ isHeld: Bool) {
        if let place = place(of: id) { visitors[place].isHeld = isHeld }
    }

    /// Takes what the server sends; returns the answers that are complete with it.
    mutating func receive(_ id: ServerConnectionID, _ segments: [Segment]) -> [ServerFact] {
        guard let place = place(of: id) else { return [] }
        var facts: [ServerFact] = []
        visitors[place].answer.add(segments)
        while let index = visitors[place].awaited.first,
            let answer = visitors[place].answer.take(to: visits[index].method)
        {
            facts.append(answer.fact(of: visits[index].name))
            if !answer.isInterim { visitors[place].awaited.removeFirst() }
        }
        return facts
    }

    /// Ends a connection from either side; returns what becomes of the visits on it.
    mutating func end(_ id: ServerConnectionID) -> [ServerFact] {
        guard let place = place(of: id) else { return [] }
        var visitor = visitors.remove(at: place)
        var facts: [ServerFact] = []
        for index in visitor.awaited {
            // Without a length, the end of the connection is the end of the body.
            let last = visitor.answer.takeLast()
            facts.append(
                last?.fact(of: visits[index].name) ?? .visitUnanswered(visits[index].name))
        }
        return facts
    }

    /// Ends all connections, as the server's process does.
    mutating func endAll() -> [ServerFact] {
        visitors.map(\.id).flatMap { end($0) }
    }

    private func place(of id: ServerConnectionID) -> Int? {
        visitors.firstIndex { $0.id == id }
    }
}

/// Reads a stream of answers. It knows as little of HTTP as it needs, and nothing that the server
/// knows.
struct VisitorAnswer: Sendable {
    private var head: [UInt8] = []
    private var rest: [Segment] = []

    struct Complete {
        let head: String
        let body: [Segment]

        var isInterim: Bool { (100..<200).contains(VisitorAnswer.status(of: head)) }

        func fact(of visit: String) -> ServerFact {
            var text: [UInt8]? = []
            for segment in body {
                if case .bytes(let bytes) = segment { text? += bytes } else { text = nil }
            }
            let isShort = text.map { $0.count <= 4_096 } ?? false
            return .visitAnswered(
                visit, head: head, body: body.length,
                text: isShort ? text.flatMap { String(validating: $0, as: UTF8.self) } : nil)
        }
    }

    mutating func add(_ segments: [Segment]) { rest += segments }

    /// Returns the next complete answer to a request with this method.
    mutating func take(to method: String) -> Complete? {
        guard readHead() else { return nil }
        let text = String(decoding: head, as: UTF8.self)
        let status = Self.status(of: text)
        let isEmpty =
            method == "HEAD" || (100..<200).contains(status) || [204, 304].contains(status)
        guard let length = isEmpty ? 0 : Self.length(in: text), rest.length.bytes >= length
        else { return nil }
        let (body, behind) = rest.split(at: ByteCount(length))
        (head, rest) = ([], behind)
        return Complete(head: text, body: body)
    }

    /// Returns what is there of an answer that ends with its connection.
    mutating func takeLast() -> Complete? {
        guard readHead(), Self.length(in: String(decoding: head, as: UTF8.self)) == nil else {
            return nil
        }
        let answer = Complete(head: String(decoding: head, as: UTF8.self), body: rest)
        (head, rest) = ([], [])
        return answer
    }

    /// Moves bytes to the head until it is whole.
    private mutating func readHead() -> Bool {
        while !isHeadWhole {
            guard case .bytes(let bytes) = rest.first else { return false }
            for (index, byte) in bytes.enumerated() {
                head.append(byte)
                guard isHeadWhole else { continue }
                rest[0] = .bytes(Array(bytes[(index + 1)...]))
                return true
            }
            rest.removeFirst()
        }
        return true
    }

    private var isHeadWhole: Bool { head.suffix(4) == [0x0d, 0x0a, 0x0d, 0x0a] }

    fileprivate static func status(of head: String) -> Int {
        let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    private static func length(in head: String) -> UInt64? {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            return UInt64(parts[1].drop { $0 == " " })
        }
        return nil
    }
}
