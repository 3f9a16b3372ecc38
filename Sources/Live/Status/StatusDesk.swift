import Content
import DocrootServer
import Protocols
import Quantities
import TransferHost

/// The page that shows a service's status and switches faults: on a port of its own, which no fault
/// and no other machine can reach.
struct StatusDesk: ~Copyable {
    private let door: Door
    private var visitors: [UInt32: Visitor] = [:]
    private var lastVisitor: UInt32 = 0

    /// Beyond this number, a new visitor replaces the oldest.
    private static let visitorsLimit = 64
    /// The longest that one visitor is heard while others wait.
    private static let receptionsPerTurn = 16

    private final class Visitor {
        let connection: ServerConnection
        var reader = HTTPMessageReader<HTTPRequestHead>()

        init(_ connection: ServerConnection) { self.connection = connection }
    }

    init(
        _ listener: consuming TCPListener, on loop: borrowing EventLoop
    ) throws(SystemError) {
        door = try Door(listener, as: .statusListener, on: loop)
    }

    var port: UInt16 { door.port }

    var nextDeadline: Instant? { door.opensAgain }

    func endTurn(on loop: borrowing EventLoop, by clock: MachineClock) {
        door.endTurn(on: loop, at: clock.now)
    }

    /// Answers one request on each connection.
    mutating func serve(
        _ ready: EventLoop.Ready, on loop: borrowing EventLoop, by clock: MachineClock,
        answer: (StatusRequest) throws(HTTPError) -> StatusAnswer
    ) throws(SystemError) {
        guard ready.source.kind == .statusVisitor else {
            return try takeVisitors(on: loop, by: clock)
        }
        guard let visitor = visitors[ready.source.number] else { return }
        if ready.isReadable, !hear(visitor, by: clock, answer) { return forget(visitor, on: loop) }
        guard visitor.connection.flush() else { return forget(visitor, on: loop) }
        try loop.change(visitor.connection)
    }

    private mutating func takeVisitors(
        on loop: borrowing EventLoop, by clock: MachineClock
    ) throws(SystemError) {
        while let stream = try door.accept(on: loop, by: clock) {
            lastVisitor += 1
            let visitor = Visitor(
                ServerConnection(
                    id: ServerConnectionID(lastVisitor), over: .tcp(stream), kind: .statusVisitor))
            visitors[lastVisitor] = visitor
            try loop.watch(visitor.connection)
            if visitors.count > Self.visitorsLimit, let oldest = visitors.keys.min(),
                let visitor = visitors[oldest]
            {
                forget(visitor, on: loop)
            }
        }
    }

    /// Returns false once the visitor has left.
    private func hear(
        _ visitor: Visitor, by clock: MachineClock,
        _ answer: (StatusRequest) throws(HTTPError) -> StatusAnswer
    ) -> Bool {
        for _ in 0..<Self.receptionsPerTurn {
            switch visitor.connection.receive() {
            case .nothing: return true
            case .end, .broken: return false
            case .bytes(let bytes):
                guard visitor.connection.state == .open else { continue }
                guard let reply = reply(to: bytes, of: visitor, answer) else { continue }
                visitor.connection.send(reply.bytes)
                visitor.connection.close(by: clock.now)
            }
        }
        return true
    }

    /// `nil` while the head is not complete.
    private func reply(
        to bytes: [UInt8], of visitor: Visitor,
        _ answer: (StatusRequest) throws(HTTPError) -> StatusAnswer
    ) -> StatusAnswer? {
        do throws(HTTPError) {
            for case .head(let head) in try visitor.reader.read([.bytes(bytes)]) {
                return try answer(StatusRequest(head, port: port))
            }
            return nil
        } catch {
            return StatusAnswer(error)
        }
    }

    private mutating func forget(_ visitor: Visitor, on loop: borrowing EventLoop) {
        loop.forget(visitor.connection)
        visitors[visitor.connection.id.number] = nil
    }
}

/// An answer to a visitor.
struct StatusAnswer {
    let bytes: [UInt8]

    private init(_ status: Int, _ fields: [(String, String)], _ body: [UInt8]) {
        let common = [
            ("Content-Length", "\(body.count)"), ("Connection", "close"),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ]
        bytes = HTTPResponseHead(status, fields: HTTPFields(fields + common)).bytes + body
    }

    init(_ body: [UInt8], as format: StatusFormat) {
        // The browser reloads the page by itself.
        let again = format == .page ? [("Refresh", "2")] : []
        self.init(200, [("Content-Type", format.mediaType)] + again, body)
    }

    init(_ error: HTTPError) {
        self.init(
            error.status, [("Content-Type", "text/plain; charset=utf-8")],
            Array((error.reason + "\n").utf8))
    }

    /// Sends the browser back to the page, by GET.
    static var done: StatusAnswer { StatusAnswer(303, [("Location", "/")], []) }
}
