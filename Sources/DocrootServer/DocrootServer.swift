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
    private(set) var errands: [StoreTicket: (id: ServerConnectionID, errand: Errand)] = [:]
    private var lastTicket: UInt64 = 0
    private var lastBody: UInt64 = 0
    /// The earliest expiry of a staging area.
    var nextExpiry: Instant?
    /// The next check for idle clients.
    var nextLook: Instant?
    private var isStopping = false
    /// The current second, and its text in answers.
    private var lastDate: (second: UInt64, text: String) = (.max, "")
    /// The space that accounts with a quota use.
    var usage: [String: UsedSpace] = [:]
    /// How often the docroot was changed.
    var docrootChanges: UInt64 = 0
    /// Uploads by the key that their client gave, so that none is published twice (S8).
    var keyed: [String: UploadID] = [:]
    /// The script of faults and its progress.
    var faults: FaultMachine
    /// The rule that took the server down; `nil` while it runs.
    var restartedBy: Int?
    /// Sessions of the paced transport, and whether anything of them has arrived.
    var pacedSessions: [UInt64: Bool] = [:]
    var lastSession: UInt64 = 0
    /// Uploads that were unfinished when the power failed, until their fate is known.
    var atRisk: [UploadID: AtRisk] = [:]
    /// The time of the input that is being handled.
    var now = Instant.start
    /// The outputs of the input that is being handled; empty between two inputs.
    var outputs: [ServerOutput] = []

    /// The path at which uploads are created.
    package static let collection = "/tus"

    package init(_ settings: ServerSettings = ServerSettings()) {
        self.settings = settings
        faults = FaultMachine(settings.faults)
    }

    /// Handles one input completely; returns when it wants to be woken, if at all.
    package mutating func handle(
        _ input: ServerInput, at now: Instant, into earlier: inout [ServerOutput]
    ) -> Instant? {
        self.now = now
        swap(&outputs, &earlier)
        defer { swap(&outputs, &earlier) }
        switch input {
        case .received(let id, let segments): received(segments, on: id)
        case .staged(let id, let total): staged(id, total)
        case .connected(let id, let client): connected(id, from: client)
        case .heard(let session):
            if pacedSessions[session] != nil { pacedSessions[session] = true }
        case .disconnected(let id): disconnected(id)
        case .drained(let id):
            exchanges[id]?.lastProgress = now
            goOnSending(on: id)
        case .kept(let id): kept(id)
        case .published(let id, let body): published(id, body)
        case .storeFailed(let id, let failure): storeFailed(id, failure)
        case .answered(let ticket, let answer): answered(ticket, answer)
        case .restored(let uploads, let last): restored(uploads, last)
        case .powerFailed: powerFailed()
        case .foundPublished(let id, let object, let content):
            foundPublished(id, object, content)
        case .foundLost(let object): note(.lost(object: object.text))
        case .wake:
            if let due = nextExpiry, due <= now { reclaim() }
            look()
            if !faults.isEmpty { playFaults() }
        case .fault(let name, let isOn):
            if let rule = faults.index(of: name) { switchFault(rule, on: isOn) }
        case .stopping: stop()
        }
        var next = nextExpiry
        if let nextLook { next = min(nextLook, next ?? nextLook) }
        if !faults.isEmpty, let due = faults.nextDeadline { next = min(due, next ?? due) }
        return next
    }

    // MARK: What comes in

    private mutating func received(_ segments: [Segment], on id: ServerConnectionID) {
        guard !streamBody(segments, on: id), var exchange = exchanges[id] else {
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
        advance(id)
        holdIfAhead(id)
    }

    /// Passes bytes from the middle of a body to the store. Most bytes of an upload take this way.
    private mutating func streamBody(_ segments: [Segment], on id: ServerConnectionID) -> Bool {
        let (length, now) = (segments.length, now)
        guard let upload = exchanges.change(id, { $0.passBody(length, at: now) }) ?? nil else {
            return false
        }
        append(segments, to: upload)
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
        let room = upload.room.map { $0 - min($0, upload.handedOver) } ?? quiet
        return min(quiet, room, balance(of: upload) ?? quiet)
    }

    mutating func advance(_ id: ServerConnectionID) {
        guard exchanges[id]?.isAdvancing == false else { return }
        exchanges[id]?.isAdvancing = true
        defer { exchanges[id]?.isAdvancing = false }
        while let exchange = exchanges[id], !exchange.isBlocked, !exchange.waiting.isEmpty {
            let part = exchanges[id]?.waiting.popFirst()
            if case .end = part { exchanges[id]?.bodyIsOver = true }
            switch (exchange.state, part) {
            case (.idle, .head(let head)): begin(head, on: id)
            case (.appending(let upload), .body(let segment)):
                append([segment], to: upload)
            case (.appending(let upload), .end): endAppend(of: upload, on: id)
            case (.gathering(let document, let bytes), .body(let segment)):
                gather(segment, of: document, behind: bytes, on: id)
            case (.gathering(let document, let bytes), .end):
                read(bytes, as: document, on: id)
            case (.discarding, .end): exchanges[id]?.state = .idle
            default: break  // the end of a request without a body, or a body nobody wants
            }
        }
        guard let exchange = exchanges[id], !exchange.isBlocked else { return }
        if let mistake = exchange.mistake { return hangUp(on: id, over: mistake) }
        if exchange.isHeld {
            exchanges[id]?.isHeld = false
            outputs.append(.goOn(id))
        }
    }

    /// Ends a connection after an error that hides where the next request begins.
    private mutating func hangUp(on id: ServerConnectionID, over mistake: HTTPError) {
        note(.refused(method: "?", target: "?", status: mistake.status, why: mistake.reason))
        outputs.append(.send(id, Self.refusal(mistake).segments))
        drop(id)
    }

    /// Holds a client that sends too much before it is answered: what waits takes memory.
    private mutating func holdIfAhead(_ id: ServerConnectionID) {
        guard let exchange = exchanges[id], !exchange.isHeld, exchange.isBlocked,
            exchange.waitingBytes > ServerSettings.waitingLimit || exchange.waiting.count > 64
        else { return }
        exchanges[id]?.isHeld = true
        outputs.append(.hold(id))
    }

    mutating func disconnected(
        _ id: ServerConnectionID, because why: String = "the reader went away"
    ) {
        if !faults.isEmpty { keepLock(of: id) }
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        if !faults.isEmpty { faults.disconnected(id) }
        switch exchange.state {
        case .appending(let upload), .stalled(let upload):
            releaseWriter(of: upload)
        case .answering(let upload): uploads[upload]?.waitingForOffset.removeAll { $0 == id }
        case .sending(let download): breakOff(download, why)
        case .withheld(let answer): closeBody(of: answer)
        case .idle, .asking, .gathering, .discarding: break
        }
        tellEnd(of: id)
    }

    mutating func tellEnd(of id: ServerConnectionID) {
        if settings.tellsAnswers { note(.disconnected(connection: id.number)) }
    }

    mutating func drop(_ id: ServerConnectionID) {
        outputs.append(.close(id))
        disconnected(id)
    }

    mutating func note(_ fact: ServerFact) { outputs.append(.note(fact)) }

    // MARK: Answers

    /// Answers a request with a body in memory; `startSending` answers with an object.
    mutating func respond(_ answer: Answer, on id: ServerConnectionID) {
        guard let head = exchanges[id]?.head else { return }
        var answer = answer
        if !faults.isEmpty {
            var ready = ReadyAnswer(head: answer.head, content: .bytes(answer.body))
            guard spoil(&ready, on: id) else { return }
            answer.head = ready.head
        }
        let isLast = mark(&answer.head, answering: head, on: id)
        // An answer to HEAD has no body, whatever its fields say (RFC 9110 §9.3.2).
        if head.method == "HEAD" { answer.body = [] }
        let defects = faults.defects(on: id)
        outputs.append(.send(id, [.bytes(defects.bytes(of: answer))]))
        finish(id, isLast: isLast || defects.endsConnection)
    }

    mutating func refuse(_ error: HTTPError, on id: ServerConnectionID) {
        guard let exchange = exchanges[id], let head = exchange.head else { return }
        note(
            .refused(
                method: head.method, target: head.loggedTarget, status: error.status,
                why: error.reason))
        switch exchange.frontEnd {
        case .tus: respond(Self.tusRefusal(error), on: id)
        case .kii: respond(Self.kiiRefusal(error), on: id)
        case .resumable: respond(Self.resumableRefusal(error, of: head), on: id)
        case .dav, .once, .token, .paced, nil: respond(Self.refusal(error), on: id)
        }
    }

    /// Refuses in plain text, or in a document of a type that the front end demands.
    static func refusal(_ error: HTTPError, type: String = Answer.plain, text: String? = nil)
        -> Answer
    {
        Answer(
            error.status, error.fields.all.map { ($0.name, $0.value) }, type: type,
            text: text ?? error.reason)
    }

    /// Dates the head (RFC 9110 §6.6.1), and marks in it whether the connection ends with this
    /// answer (RFC 9112 §9.6); returns whether it does.
    mutating func mark(
        _ answer: inout HTTPResponseHead, answering head: HTTPRequestHead, on id: ServerConnectionID
    ) -> Bool {
        if settings.tellsAnswers, let client = exchanges[id]?.client {
            note(
                .answered(
                    connection: id.number, client: client.description,
                    method: head.method, target: head.loggedTarget, status: answer.status))
        }
        // A client that was not invited may or may not send its body, so that nobody could tell
        // where the next request begins.
        let isAmbiguous = head.fields["Expect"] != nil && exchanges[id]?.bodyIsOver == false
        answer.fields.add("Date", date())
        let isLast = !head.keepsAlive || isAmbiguous || isStopping
        if isLast { answer.fields.add("Connection", "close") }
        if head.isOld && !isLast { answer.fields.add("Connection", "keep-alive") }
        return isLast
    }

    /// The date of an answer; made once a second.
    private mutating func date() -> String {
        let second = settings.wallClock(at: now)
        if lastDate.second != second { lastDate = (second, HTTPDate.text(second)) }
        return lastDate.text
    }

    private mutating func stop() {
        isStopping = true
        let idle = exchanges.filter { $0.value.state == .idle }
        for id in idle.keys.sorted(by: { $0.number < $1.number }) { drop(id) }
    }

    /// Ends an answered request, and begins the next.
    mutating func finish(_ id: ServerConnectionID, isLast: Bool) {
        guard let exchange = exchanges[id] else { return }
        if !faults.isEmpty { faults.finish(id) }
        exchanges[id]?.state = exchange.bodyIsOver ? .idle : .discarding
        exchanges[id]?.lastProgress = now
        if isLast { return drop(id) }
        advance(id)
    }

    // MARK: The store

    /// Asks the store; the errand continues when it has answered.
    mutating func ask(_ request: StoreRequest, for errand: Errand, on id: ServerConnectionID) {
        lastTicket += 1
        let ticket = StoreTicket(number: lastTicket)
        errands[ticket] = (id, errand)
        exchanges[id]?.state = .asking(ticket)
        outputs.append(.ask(ticket, request))
    }

    private mutating func answered(_ ticket: StoreTicket, _ answer: StoreAnswer) {
        guard let (id, errand) = errands.removeValue(forKey: ticket) else { return }
        guard exchanges[id]?.state == .asking(ticket) else {
            return abandon(errand, answeredBy: answer)
        }
        do throws(HTTPError) {
            if case .failed(let failure) = answer {
                throw HTTPError(failure.status, failure.reason)
            }
            try goOn(errand, with: answer, on: id)
        } catch {
            refuse(error, on: id)
        }
    }

    /// Cleans up after a client that has gone: closes what was opened for it.
    private mutating func abandon(_ errand: Errand, answeredBy answer: StoreAnswer) {
        switch (errand, answer) {
        case (.read(_, let body), .opened): outputs.append(.closeBody(body))
        case (.publish(let upload, _), _): abandonPublication(of: upload)
        case (.answer(_, let fact), .done): changed(by: nil, fact)
        case (.copy(let transfer, _), .done): changed(by: transfer, nil)
        default: break
        }
    }

    /// Opens an object to read it.
    mutating func open(_ path: ObjectPath, on id: ServerConnectionID) {
        lastBody += 1
        let body = BodyID(number: lastBody)
        ask(.open(path, body), for: .read(path, body), on: id)
    }
}

extension Answer {
    var segments: [Segment] { [.bytes(head.bytes + body)] }
}
