import Content
import Protocols
import Quantities

/// A connection to a server, and the transfer that it carries: the mechanics of one attempt.
///
///     idle ──▶ looking ──▶ saving ──▶ asking ──▶ saving ──▶ sending ──▶ idle
///                 └───────────────────▶ asking (how much is there?) ──┘
///
/// The transfer's `Dialogue` decides what to ask and what an answer means. The lane's owner keeps
/// the records and talks to the app; a `Need` says what the lane needs from it.
struct Lane: Hashable, Sendable {
    let connection: ConnectionID
    let host: String
    /// How the requests say who sends them.
    var identity = Identity.anonymous
    /// The credential that the last request was sent with. A newer one may be there before its
    /// answer.
    private(set) var lastUse: CredentialUse?
    /// How many credentials were rejected one after the other, since an answer accepted one.
    var rejections = 0
    /// The interface of the connection, as far as the engine was told.
    let interface: UInt16?
    let isCellular: Bool
    private(set) var isEstablished = false
    /// How long the server's last answer asked to be left alone.
    private(set) var askedToWait = TimeSpan.zero
    /// The server's last answer, and its body if that is small and not the object.
    private(set) var lastAnswer = ResponseReader.Answer(head: HTTPResponseHead(0), body: [])
    /// How long the connection may be silent.
    var patience = Lane.stallLimit
    let wire: Wire
    /// Whether the connection is a stream of the paced transport.
    let isPaced: Bool
    var phase = Phase.idle
    /// The source of the transfer as it is now.
    var source: Source?
    /// Stream bytes handed over so far, and how many of them the transport has taken.
    private var written = ByteCount.zero
    private var taken = ByteCount.zero
    var lastActivity: Instant
    /// Whether every request has been answered, to the end of the answer.
    private(set) var isAnswered = true
    /// Whether the first request after a silence waits for its answer.
    var followsSilence = false
    private var reader = ResponseReader()
    /// Bytes of a download that arrived before they may be kept.
    private var held: [Segment] = []
    private var isOver = false
    /// Whether the disk has taken anything of the download. An empty file is complete only then.
    private var hasFile = false

    /// Bytes handed to a connection ahead of what it has taken: enough to keep it busy, and few
    /// enough that the source is read shortly before it is sent.
    static let writeAhead = ByteCount(256 * 1024)

    init(
        _ connection: ConnectionID, to account: Account, by wire: Wire,
        over network: NetworkStatus?, isPaced: Bool = false, at now: Instant
    ) {
        self.isPaced = isPaced
        self.wire = wire
        self.connection = connection
        host = account.hostInRequests
        interface = network?.interface
        isCellular = network?.isCellular ?? false
        lastActivity = now
    }

    /// Whether a connection that has lost its network was never established, although that network
    /// is still the one to use: another attempt at once could go on for ever.
    func neverCame(over network: NetworkStatus?) -> Bool {
        !isEstablished && interface != nil && interface == network?.interface
    }

    // MARK: What happens

    /// Returns the progress to report before anything else that the event causes.
    mutating func progress(by event: AttemptInput, at now: Instant) -> Progress? {
        switch event {
        case .taken(_, let count): took(count, at: now)
        case .kept(_, let count?): hasKept(count)
        case .inspected, .examined, .kept, .placed, .connected, .received, .disconnected,
            .unreadable:
            nil
        }
    }

    /// Handles an event; `mustSave` is true if the store lacks the owner's record (S8).
    mutating func take(
        _ event: AttemptInput, _ transfer: inout TransferRecord?, mustSave: Bool = false,
        at now: Instant, into wanted: inout [AttemptOutput]
    ) -> Need? {
        switch event {
        case .connected:
            isEstablished = true
            lastActivity = now
            return .begin
        case .inspected(_, let inspection):
            return with(&transfer) {
                inspected(inspection, &$0, mustSave: mustSave, into: &wanted)
            }
        case .examined(_, let examination):
            return with(&transfer) {
                examined(examination, &$0, mustSave: mustSave, into: &wanted)
            }
        case .received(_, let segments):
            return received(segments, &transfer, at: now, into: &wanted)
        case .taken:
            if let transfer { supply(transfer, into: &wanted) }
            return nil
        case .kept(_, nil): return .fail(.diskWrite)
        case .kept:
            hasFile = true
            return fetch?.isComplete == true ? .complete : nil
        case .placed(_, let result): return placed(result)
        case .disconnected(_, let why): return .lost(why)
        case .unreadable: return .fail(.diskRead)
        }
    }

    private func with(
        _ transfer: inout TransferRecord?, _ look: (inout TransferRecord) -> Need?
    ) -> Need? {
        guard var current = transfer else { return nil }
        defer { transfer = current }
        return look(&current)
    }

    /// Sends a request that needs no file.
    mutating func begin(_ request: TransferRequest, into wanted: inout [AttemptOutput]) {
        precondition(phase == .idle, "a lane carries one transfer at a time")
        source = .nothing
        ask(request, into: &wanted)
    }

    /// Waits for the store's answer to this ticket.
    mutating func save(_ ticket: PersistTicket, then step: Step) {
        phase = .saving(ticket, then: step)
    }

    mutating func saved(
        _ ticket: PersistTicket, _ transfer: TransferRecord, into wanted: inout [AttemptOutput]
    ) -> Need? {
        guard case .saving(ticket, let step) = phase else { return nil }
        return perform(step, transfer, into: &wanted)
    }

    func isSaving(_ ticket: PersistTicket) -> Bool {
        if case .saving(ticket, _) = phase { true } else { false }
    }

    private mutating func received(
        _ segments: [Segment], _ transfer: inout TransferRecord?, at now: Instant,
        into wanted: inout [AttemptOutput]
    ) -> Need? {
        lastActivity = now
        followsSilence = false
        let request = pendingRequest
        if wire.isDownload, request?.asksAboutObject != true, request?.isOfConnection != true {
            return receivedObject(segments, &transfer, into: &wanted)
        }
        do {
            for answer in try reader.read(segments, answering: request) {
                let head = answer.head
                wanted.note(.response(head, on: connection))
                askedToWait = head.retryAfter ?? .zero
                lastAnswer = answer
                isAnswered = true
                // Nobody has reached the server.
                if let request, head.isForeign(to: request.resource) {
                    return .fail(.connectionFailed)
                }
                if let request, let use = rejects(head, request) { return .rejected(use) }
                if case .hello? = request { return greeted(head) }
                if case .paced(let question)? = request { return told(head, of: question) }
                guard let request, request == pendingRequest, var current = transfer, let source
                else { throw HTTPError(400, "an answer nobody asked for") }
                let step = try wire.answered(
                    head, answer.body, to: request, &current, source: source, into: &wanted)
                transfer = current
                if let need = perform(step, current, into: &wanted) { return need }
            }
            return nil
        } catch {
            return .fail(.protocolViolation)
        }
    }

    /// Receives an answer with an object: its head decides what happens to its body.
    private mutating func receivedObject(
        _ segments: [Segment], _ transfer: inout TransferRecord?,
        into wanted: inout [AttemptOutput]
    ) -> Need? {
        var need: Need?
        do {
            for part in try reader.readAll(segments, answering: pendingRequest) {
                switch part {
                case .head(let head):
                    wanted.note(.response(head, on: connection))
                    askedToWait = head.retryAfter ?? .zero
                    lastAnswer = ResponseReader.Answer(head: head, body: [])
                    guard case .asking(let request) = phase, var current = transfer, let source
                    else { throw HTTPError(400, "an answer nobody asked for") }
                    if head.isForeign(to: request.resource) { return .fail(.connectionFailed) }
                    if let use = rejects(head, request) { return .rejected(use) }
                    if head.hasObject, !head.tellsLength, !request.asksForHeadAlone {
                        return .fail(.protocolViolation)
                    }
                    let step = try wire.answered(
                        head, to: request, &current, source: source, into: &wanted)
                    transfer = current
                    phase = .idle
                    need = perform(step, current, into: &wanted)
                case .body(let segment): held.append(segment)
                case .end: (isOver, isAnswered) = (true, true)
                }
            }
        } catch {
            return .fail(.protocolViolation)
        }
        return need ?? passOn(into: &wanted)
    }

    /// Passes received bytes on to the disk, if they may be kept.
    private mutating func passOn(into wanted: inout [AttemptOutput]) -> Need? {
        switch phase {
        case .receiving(var fetch):
            fetch.keep(held, into: &wanted)
            held = []
            fetch.isOver = isOver
            phase = .receiving(fetch)
            return fetch.isComplete && (hasFile || fetch.kept > .zero) ? .complete : nil
        case .skipping:
            held = []
            return isOver ? .complete : nil
        case .idle, .looking, .saving, .asking, .opening, .sending, .placing, .keeping:
            return nil
        }
    }

    /// Moves a complete download to its place.
    mutating func place(_ transfer: TransferRecord, into wanted: inout [AttemptOutput]) {
        wanted.append(.place(transfer.id, from: transfer.landing, to: transfer.destination))
        phase = .placing
    }

    private mutating func placed(_ result: PlacementResult) -> Need? {
        guard phase == .placing else { return nil }
        return result == .placed ? .complete : .fail(.diskWrite)
    }

    /// Notes how much of a download is on disk; returns the progress to report.
    private mutating func hasKept(_ count: ByteCount) -> Progress? {
        guard case .receiving(var fetch) = phase else { return nil }
        let progress = fetch.hasKept(count)
        phase = .receiving(fetch)
        return progress
    }

    /// The object that is being received, if there is one.
    var fetch: Fetch? {
        if case .receiving(let fetch) = phase { fetch } else { nil }
    }

    /// Notes how many bytes the connection has taken in all; returns the progress to report.
    private mutating func took(_ count: ByteCount, at now: Instant) -> Progress? {
        precondition(count <= written, "more was taken than was handed over")
        taken = max(taken, count)
        lastActivity = now
        return nextProgress
    }

    /// Keeps the connection supplied, but not further ahead than `writeAhead`.
    private mutating func supply(_ transfer: TransferRecord, into wanted: inout [AttemptOutput]) {
        guard case .sending(var append) = phase else { return }
        let ahead = written - taken
        guard ahead < Self.writeAhead, append.handedOver < append.end else { return }
        let count = min(Self.writeAhead - ahead, append.end - append.handedOver)
        guard let source else {
            preconditionFailure("bytes are sent of a source that was inspected")
        }
        wanted.append(
            .write(
                connection,
                [
                    .file(
                        path: transfer.source, offset: append.handedOver, length: count,
                        known: source.state)
                ]))
        append.handedOver += count
        written += count
        phase = .sending(append)
    }

    /// The status of the server's last answer.
    var lastStatus: Int { lastAnswer.head.status }

    /// Whether nothing is on its way: the connection can be closed in order.
    var isAtRest: Bool { isAnswered && written == taken }

    /// Ends the transfer, so that another may begin.
    mutating func clear() {
        phase = .idle
        held = []
        isOver = false
        hasFile = false
    }

    // MARK: What is asked

    mutating func perform(
        _ step: Step, _ transfer: TransferRecord, into wanted: inout [AttemptOutput]
    ) -> Need? {
        switch step {
        case .ask(let request): ask(request, into: &wanted)
        case .send(let request, let from, let end):
            send(request, from: from, to: end, transfer, into: &wanted)
        case .receive(let offset, let total):
            phase = .receiving(Fetch(transfer, from: offset, total: total))
            return passOn(into: &wanted)
        case .skip:
            phase = .skipping
            return passOn(into: &wanted)
        case .save(let next): return .save(then: next)
        case .look(let path, let coverage, let purpose):
            wanted.append(
                coverage.map { .examine(transfer.id, path: path, $0) }
                    ?? .inspect(transfer.id, path: path))
            phase = .looking(purpose)
        case .complete: return .complete
        case .keepTarget(let why):
            wanted.note(.engine(.keepsTarget(transfer.id.name, because: why)))
            phase = .keeping
            return .complete
        case .fail(let error): return .fail(error)
        }
        return nil
    }

    private mutating func ask(_ request: TransferRequest, into wanted: inout [AttemptOutput]) {
        let head = request.head(host: host)
        lastUse = request.isSigned ? nil : identity.use
        let pieces = head.pieces(by: lastUse)
        wanted.note(.request(head, on: connection))
        wanted.append(.write(connection, pieces))
        for piece in pieces { written += piece.length }
        isAnswered = false
        phase = .asking(request)
    }

    private mutating func send(
        _ request: TransferRequest, from offset: ByteCount, to end: ByteCount,
        _ transfer: TransferRecord, into wanted: inout [AttemptOutput]
    ) {
        ask(request, into: &wanted)
        wanted.note(
            .engine(
                .sends(
                    transfer.id.name, resource: ResourceName(request.resource), from: offset,
                    on: connection.name, bodyAt: written)))
        phase = .sending(
            Append(
                request: request, from: offset, end: end, handedOver: offset, bodyAt: written,
                reported: offset))
        supply(transfer, into: &wanted)
    }

    /// The request that waits for its answer.
    private var pendingRequest: TransferRequest? {
        switch phase {
        case .asking(let request): request
        case .sending(let append): append.request
        case .idle, .looking, .saving, .opening, .receiving, .skipping, .placing, .keeping: nil
        }
    }

    /// The progress to report: at each hundredth of a file, and at the last byte.
    private var nextProgress: Progress? {
        mutating get {
            guard case .sending(var append) = phase, taken > append.bodyAt else { return nil }
            let done = min(append.from + (taken - append.bodyAt), append.end)
            let step = ByteCount(max(append.end.bytes / 100, 1))
            guard done >= append.reported + step || done == append.end && done > append.reported
            else { return nil }
            append.reported = done
            phase = .sending(append)
            return Progress(from: append.from, done: done, total: append.end)
        }
    }
}
