import Content
import Facts
import Protocols
package import Quantities

/// The mock server: requests in, answers out, bytes to a store that the world keeps.
///
/// It is sans-I/O like the engine. It acknowledges an offset only after the store has said that it
/// is durable, and an object changes for its readers in one step.
///
/// This file follows a request: it comes in (`received`), its head selects a front end (`begin`),
/// the front end consumes its body (`advance`), and one answer goes out (`respond`). Requests,
/// uploads, downloads and front ends are extensions, a file each.
package struct DocrootServer: Sendable {
    var settings: ServerSettings
    var exchanges = Register<ServerConnectionID, Exchange>()
    var uploads = Register<UploadID, Upload>()
    /// How often each object was published.
    var versions: [String: UInt64] = [:]
    var lastUpload: UInt64 = 0
    /// Questions to the store, with their connections and errands.
    private var errands: [StoreTicket: (id: ServerConnectionID, errand: Errand)] = [:]
    private var lastTicket: UInt64 = 0
    private var lastBody: UInt64 = 0
    /// The earliest expiry of a staging area.
    var nextExpiry: Instant?
    /// The next check for idle clients.
    var nextLook: Instant?
    private var isStopping = false
    /// The space that accounts with a quota use. Unknown after a change that was no upload.
    var usage: [String: ByteCount] = [:]
    /// Uploads by the key that their client gave, so that none is published twice (S8).
    var keyed: [String: UploadID] = [:]
    /// The script of faults and its progress.
    var faults: FaultMachine
    /// The rule that took the server down; `nil` while it runs.
    var restartedBy: Int?
    var now = Instant.start

    /// The path at which uploads are created.
    package static let collection = "/tus"

    package init(_ settings: ServerSettings = ServerSettings()) {
        self.settings = settings
        faults = FaultMachine(settings.faults)
    }

    /// Handles one input completely; returns when it wants to be woken, if at all.
    package mutating func handle(
        _ input: ServerInput, at now: Instant, into outputs: inout [ServerOutput]
    ) -> Instant? {
        self.now = now
        switch input {
        case .received(let id, let segments): received(segments, on: id, into: &outputs)
        case .staged(let id, let total): staged(id, total, into: &outputs)
        case .connected(let id, let client): connected(id, from: client, into: &outputs)
        case .disconnected(let id): disconnected(id, into: &outputs)
        case .drained(let id):
            exchanges[id]?.lastProgress = now
            goOnSending(on: id, into: &outputs)
        case .kept(let id): kept(id, into: &outputs)
        case .published(let id, let body): published(id, body, into: &outputs)
        case .storeFailed(let id, let failure): storeFailed(id, failure, into: &outputs)
        case .answered(let ticket, let answer): answered(ticket, answer, into: &outputs)
        case .restored(let uploads, let last): restored(uploads, last, into: &outputs)
        case .wake:
            if let due = nextExpiry, due <= now { reclaim(into: &outputs) }
            look(into: &outputs)
            if !faults.isEmpty { playFaults(into: &outputs) }
        case .fault(let name, let isOn):
            if let rule = faults.index(of: name) { switchFault(rule, on: isOn, into: &outputs) }
        case .stopping: stop(into: &outputs)
        }
        var next = nextExpiry
        if let nextLook { next = min(nextLook, next ?? nextLook) }
        if !faults.isEmpty, let due = faults.nextDeadline { next = min(due, next ?? due) }
        return next
    }

    // MARK: What comes in

    private mutating func received(
        _ segments: [Segment], on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        guard !streamBody(segments, on: id, into: &outputs), var exchange = exchanges[id] else {
            return
        }
        guard exchange.mistake == nil else { return }
        do {
            var parts: [HTTPMessageReader<HTTPRequestHead>.Part] = []
            defer { exchange.waiting += parts }
            try exchange.reader.read(segments, into: &parts)
        } catch {
            exchange.mistake = error
        }
        // Half a head is no progress: see `Patience`.
        if exchange.state != .idle { exchange.lastProgress = now }
        exchanges[id] = exchange
        advance(id, into: &outputs)
        holdIfAhead(id, into: &outputs)
    }

    /// Passes bytes from the middle of a body to the store. Most bytes of an upload take this way.
    private mutating func streamBody(
        _ segments: [Segment], on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) -> Bool {
        let (length, now) = (segments.length, now)
        guard let upload = exchanges.change(id, { $0.passBody(length, at: now) }) ?? nil else {
            return false
        }
        append(segments, to: upload, into: &outputs)
        return true
    }

    /// The number of body bytes that the server may be told of later, at once. They only go to the
    /// store, as long as nothing else happens to the server.
    package func silentBody(on id: ServerConnectionID) -> ByteCount {
        guard faults.isEmpty, let exchange = exchanges[id], exchange.waiting.isEmpty,
            case .appending(let number) = exchange.state, let upload = uploads[number],
            upload.waitingForOffset.isEmpty
        else { return .zero }
        // The last byte ends the body, which has an effect.
        let left = exchange.reader.bodyLeft
        let quiet = left - min(left, ByteCount(1))
        guard let room = upload.room else { return quiet }
        return min(quiet, room - min(room, upload.handedOver))
    }

    mutating func advance(_ id: ServerConnectionID, into outputs: inout [ServerOutput]) {
        guard exchanges[id]?.isAdvancing == false else { return }
        exchanges[id]?.isAdvancing = true
        defer { exchanges[id]?.isAdvancing = false }
        while let exchange = exchanges[id], !exchange.isBlocked, !exchange.waiting.isEmpty {
            let part = exchanges[id]?.waiting.popFirst()
            if case .end = part { exchanges[id]?.bodyIsOver = true }
            switch (exchange.state, part) {
            case (.idle, .head(let head)): begin(head, on: id, into: &outputs)
            case (.appending(let upload), .body(let segment)):
                append([segment], to: upload, into: &outputs)
            case (.appending(let upload), .end): endAppend(of: upload, on: id, into: &outputs)
            case (.gathering(let document, let bytes), .body(let segment)):
                gather(segment, of: document, behind: bytes, on: id, into: &outputs)
            case (.gathering(let document, let bytes), .end):
                read(bytes, as: document, on: id, into: &outputs)
            case (.discarding, .end): exchanges[id]?.state = .idle
            default: break  // the end of a request without a body, or a body nobody wants
            }
        }
        guard let exchange = exchanges[id], !exchange.isBlocked else { return }
        if let mistake = exchange.mistake { return hangUp(on: id, over: mistake, into: &outputs) }
        if exchange.isHeld {
            exchanges[id]?.isHeld = false
            outputs.append(.goOn(id))
        }
    }

    /// Ends a connection after an error that hides where the next request begins.
    private mutating func hangUp(
        on id: ServerConnectionID, over mistake: HTTPError, into outputs: inout [ServerOutput]
    ) {
        outputs.append(
            .note(
                .refused(method: "?", target: "?", status: mistake.status, why: mistake.reason)))
        outputs.append(.send(id, Self.refusal(mistake).segments))
        drop(id, into: &outputs)
    }

    /// Holds a client that sends too much before it is answered: what waits takes memory.
    private mutating func holdIfAhead(
        _ id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        guard let exchange = exchanges[id], !exchange.isHeld, exchange.isBlocked,
            exchange.waitingBytes > ServerSettings.waitingLimit || exchange.waiting.count > 64
        else { return }
        exchanges[id]?.isHeld = true
        outputs.append(.hold(id))
    }

    mutating func disconnected(
        _ id: ServerConnectionID, because why: String = "the reader went away",
        into outputs: inout [ServerOutput]
    ) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        if !faults.isEmpty { faults.disconnected(id) }
        switch exchange.state {
        case .appending(let upload), .stalled(let upload):
            releaseWriter(of: upload, into: &outputs)
        case .answering(let upload): forget(id, in: upload, into: &outputs)
        case .sending(let download): breakOff(download, why, into: &outputs)
        case .withheld(let answer): closeBody(of: answer, into: &outputs)
        case .idle, .asking, .gathering, .discarding: break
        }
        tellEnd(of: id, into: &outputs)
    }

    func tellEnd(of id: ServerConnectionID, into outputs: inout [ServerOutput]) {
        if settings.tellsAnswers { outputs.append(.note(.disconnected(connection: id.number))) }
    }

    mutating func drop(_ id: ServerConnectionID, into outputs: inout [ServerOutput]) {
        outputs.append(.close(id))
        disconnected(id, into: &outputs)
    }

    // MARK: Answers

    /// Answers a request. Only objects are sent otherwise, by `startSending`.
    mutating func respond(
        _ answer: Answer, on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        guard let head = exchanges[id]?.head else { return }
        var answer = answer
        if !faults.isEmpty {
            var ready = ReadyAnswer.short(answer)
            guard spoil(&ready, on: id, into: &outputs) else { return }
            answer.head = ready.head
        }
        let isLast = mark(&answer.head, answering: head, on: id, into: &outputs)
        // An answer to HEAD has no body, whatever its fields say (RFC 9110 §9.3.2).
        if head.method == "HEAD" { answer.body = [] }
        let defects = faults.defects(on: id)
        outputs.append(.send(id, [.bytes(defects.bytes(of: answer))]))
        finish(id, isLast: isLast || defects.endsConnection, into: &outputs)
    }

    mutating func refuse(
        _ error: HTTPError, on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        guard let exchange = exchanges[id], let head = exchange.head else { return }
        outputs.append(
            .note(
                .refused(
                    method: head.method, target: head.target, status: error.status,
                    why: error.reason)))
        switch exchange.frontEnd {
        case .tus: respond(Self.tusRefusal(error), on: id, into: &outputs)
        case .kii: respond(Self.kiiRefusal(error), on: id, into: &outputs)
        case .resumable: respond(Self.resumableRefusal(error, of: head), on: id, into: &outputs)
        case .dav, .once, nil: respond(Self.refusal(error), on: id, into: &outputs)
        }
    }

    static func refusal(_ error: HTTPError) -> Answer {
        Answer(error.status, error.fields.all.map { ($0.name, $0.value) }, text: error.reason)
    }

    /// Marks in the head whether the connection ends with this answer (RFC 9112 §9.6); returns it.
    func mark(
        _ answer: inout HTTPResponseHead, answering head: HTTPRequestHead,
        on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) -> Bool {
        if settings.tellsAnswers, let client = exchanges[id]?.client {
            outputs.append(
                .note(
                    .answered(
                        connection: id.number, client: client.description,
                        method: head.method, target: head.target, status: answer.status)))
        }
        // A client that was not invited may or may not send its body, so that nobody could tell
        // where the next request begins.
        let isAmbiguous = head.fields["Expect"] != nil && exchanges[id]?.bodyIsOver == false
        let isLast = !head.keepsAlive || isAmbiguous || isStopping
        if isLast { answer.fields.add("Connection", "close") }
        if head.isOld && !isLast { answer.fields.add("Connection", "keep-alive") }
        return isLast
    }

    private mutating func stop(into outputs: inout [ServerOutput]) {
        isStopping = true
        let idle = exchanges.filter { $0.value.state == .idle }
        for id in idle.keys.sorted(by: { $0.number < $1.number }) { drop(id, into: &outputs) }
    }

    /// Ends an answered request, and begins the next.
    mutating func finish(
        _ id: ServerConnectionID, isLast: Bool, into outputs: inout [ServerOutput]
    ) {
        guard let exchange = exchanges[id] else { return }
        if !faults.isEmpty { faults.finish(id) }
        exchanges[id]?.state = exchange.bodyIsOver ? .idle : .discarding
        exchanges[id]?.lastProgress = now
        if isLast { return drop(id, into: &outputs) }
        advance(id, into: &outputs)
    }

    // MARK: The store

    /// Asks the store; the errand continues when it has answered.
    mutating func ask(
        _ request: StoreRequest, for errand: Errand, on id: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) {
        lastTicket += 1
        let ticket = StoreTicket(lastTicket)
        errands[ticket] = (id, errand)
        exchanges[id]?.state = .asking(ticket)
        outputs.append(.ask(ticket, request))
    }

    private mutating func answered(
        _ ticket: StoreTicket, _ answer: StoreAnswer, into outputs: inout [ServerOutput]
    ) {
        guard let (id, errand) = errands.removeValue(forKey: ticket) else { return }
        guard exchanges[id]?.state == .asking(ticket) else {
            return abandon(errand, answeredBy: answer, into: &outputs)
        }
        do throws(HTTPError) {
            if case .failed(let failure) = answer {
                throw HTTPError(failure.status, failure.reason)
            }
            try goOn(errand, with: answer, on: id, into: &outputs)
        } catch {
            refuse(error, on: id, into: &outputs)
        }
    }

    /// Cleans up after a client that has gone: closes what was opened for it.
    private mutating func abandon(
        _ errand: Errand, answeredBy answer: StoreAnswer, into outputs: inout [ServerOutput]
    ) {
        switch (errand, answer) {
        case (.read(_, let body), .opened): outputs.append(.closeBody(body))
        case (.publish(let upload), _):
            remove(upload)
            outputs.append(.discard(upload))
        case (.answer(_, let note?), .done): outputs.append(.note(note))
        default: break
        }
    }

    mutating func newBody() -> BodyID {
        lastBody += 1
        return BodyID(lastBody)
    }
}

extension Answer {
    var segments: [Segment] { [.bytes(head.bytes + body)] }
}
