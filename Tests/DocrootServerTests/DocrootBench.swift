import Content
import Facts
import Protocols
import Quantities

@testable import DocrootServer
@testable import Simulation

/// A server with a whole docroot, and scripted clients on its doorstep: no network, no time but
/// what a test lets pass.
final class DocrootBench {
    private(set) var server: DocrootServer
    private(set) var docroot: VirtualDocroot
    private(set) var notes: [ServerFact] = []
    private(set) var closed: [UInt32] = []
    private(set) var aborted: [UInt32] = []
    private(set) var admitted: [PacedSession] = []
    private(set) var kept: [UploadRecord] = []
    private let settings: ServerSettings
    private(set) var held: Set<UInt32> = []
    private var heard: [UInt32: [Segment]] = [:]
    private(set) var deadline: Instant?
    var now = Instant.start
    /// Whether readers take what is sent to them.
    var readersTake = true
    /// Whether the store answers questions.
    var storeAnswers = true
    private var unsaid: [ServerInput] = []
    /// Whether the disk's steps are carried out one at a time, by `takeTurn`.
    var disksTakeTurns = false
    private var unfinished: [DiskWork] = []
    /// Whether what is handed to the store is durable at once.
    var storeStages = true
    /// Whether a record that is handed to the store is durable at once.
    var storeKeeps = true
    /// The store has room for no record.
    var keepsNothing = false
    /// The server's process is gone, and the next one finds what was staged or not.
    private(set) var isDown: (until: Instant, keepsStaging: Bool)?
    /// Whether a fault of the server takes the power, rather than the test.
    private var failsByFault = false
    private var chance = RandomStream(seed: 1, name: "bench/power")
    /// What a fault's loss of power has taken.
    private var lost: [ObjectPath] = []
    /// Where what was staged was taken back to.
    private(set) var truncated: [ByteCount] = []

    struct Reply {
        var head: HTTPResponseHead
        var body: [Segment]

        var status: Int { head.status }
        var text: String {
            var bytes: [UInt8] = []
            for case .bytes(let some) in body { bytes += some }
            return String(decoding: bytes, as: UTF8.self)
        }
        var ranges: [ContentRange] {
            var ranges: [ContentRange] = []
            for case .content(let range) in body { ranges.join(range) }
            return ranges
        }
    }

    init(_ settings: ServerSettings = ServerSettings(), order: DiskOrder = .durable) {
        self.settings = settings
        docroot = VirtualDocroot(order)
        server = DocrootServer(settings)
    }

    /// A server that fails in these ways, and has been told that time begins.
    convenience init(_ faults: FaultRule..., accounts: [ServerUser] = []) {
        self.init(ServerSettings(accounts: accounts, faults: FaultScript(faults)))
        wake(at: .start)
    }

    /// There is power for so many steps of the disk; whatever comes behind them never happens.
    func dimPower(after steps: UInt64) { docroot.stepsWithPower = steps }

    var isDark: Bool { docroot.stepsWithPower == 0 }

    /// Power is lost and comes back, and another server starts on what the disk has kept.
    func losePower(random: inout RandomStream) {
        docroot.losePower(random: &random)
        kill()
    }

    /// The process ends, and another server finds what it has written.
    func kill() {
        server = DocrootServer(settings)
        heard = [:]
        unsaid = []
        unfinished = []
        take(docroot.restore())
    }

    /// How much is staged of an upload.
    func staged(_ upload: UploadID) -> ByteCount {
        docroot.staged[upload].map { docroot.disk[$0.node].body.total } ?? .zero
    }

    /// Another server on the same docroot, which finds these uploads.
    func restart(with uploads: [RestoredUpload]) {
        server = DocrootServer(settings)
        heard = [:]
        take(.restored(uploads, lastUpload: 1_000))
    }

    /// How many objects readers have seen come.
    var published: Int { notes.count { if case .published = $0 { true } else { false } } }

    /// A request on a connection, which is made if it is new, and all that came back so far.
    @discardableResult
    func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [],
        body: [Segment] = [], on connection: UInt32 = 1
    ) -> Reply? {
        begin(method, target, fields, length: body.length, on: connection)
        if !body.isEmpty { send(body, on: connection) }
        return reply(on: connection)
    }

    /// The head of a request whose body is still to come.
    func begin(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], length: ByteCount,
        on connection: UInt32 = 1
    ) {
        if heard[connection] == nil { connect(connection) }
        let hasLength = fields.contains { $0.0 == "Content-Length" }
        let hasHost = fields.contains { $0.0.lowercased() == "host" }
        let host = hasHost ? [] : [("Host", "docroot")]
        let own = length > .zero && !hasLength ? [("Content-Length", "\(length.bytes)")] : []
        let head = HTTPRequestHead(method, target, fields: HTTPFields(host + fields + own))
        send([.bytes(head.bytes)], on: connection)
    }

    func connect(_ connection: UInt32, from client: ClientAddress = ClientAddress(0x7f00_0001)) {
        heard[connection] = []
        take(.connected(ServerConnectionID(connection), from: client))
    }

    func send(_ segments: [Segment], on connection: UInt32 = 1) {
        take(.received(ServerConnectionID(connection), segments))
    }

    func leave(_ connection: UInt32) {
        heard[connection] = nil
        take(.disconnected(ServerConnectionID(connection)))
    }

    /// The first packet of a session of the paced transport arrives.
    func hear(_ session: UInt64) { take(.heard(session: session)) }

    func fault(_ name: String, on isOn: Bool) { take(.fault(name, on: isOn)) }

    /// Lets time pass, and keeps the deadlines.
    func wait(_ span: TimeSpan) {
        let end = now + span
        while let next = [deadline, isDown?.until].compactMap({ $0 }).min(), next <= end {
            now = max(now, next)
            if isDown.map({ $0.until <= now }) == true { comeBack() } else { take(.wake) }
        }
        now = end
    }

    /// What the script has done so far, in the words of the log.
    var effects: [String] {
        notes.compactMap { note in
            guard case .fault(let name, let connection, _, let request, let effect) = note else {
                return nil
            }
            let place = request.map { " \(connection ?? 0) \($0)" } ?? ""
            return "\(name)\(place): \(effect)"
        }
    }

    /// Which faults were switched on and off, as “+name” and “-name”.
    var switchings: [String] {
        notes.compactMap { note in
            guard case .faultSwitched(let name, let isOn) = note else { return nil }
            return (isOn ? "+" : "-") + name
        }
    }

    private func comeBack() {
        guard let isDown else { return }
        self.isDown = nil
        let restored = docroot.restore(keepsStaging: isDown.keepsStaging)
        take(restored)
        guard case .restored(let uploads, _) = restored else { return }
        defer { lost = [] }
        for input in docroot.findings(uploads) + lost.map({ .foundLost($0) }) { take(input) }
    }

    func wake(at time: Instant) {
        now = time
        take(.wake)
    }

    /// The disk is full, or broken.
    func fail(_ upload: UInt64) {
        take(.storeFailed(UploadID(upload), StoreFailure(.noSpace, "full")))
    }

    func letStoreAnswer() {
        storeAnswers = true
        storeStages = true
        storeKeeps = true
        endTurn()
    }

    /// What was handed to the store becomes durable, and what it was asked is answered; at most so
    /// many of both.
    func endTurn(atMost most: Int = .max) {
        var left = most
        while !unsaid.isEmpty, !isDark, left > 0 {
            left -= 1
            var answer = unsaid.removeFirst()
            if case .staged(let upload, let total) = answer {
                answer = .staged(upload, min(total, docroot.confirm(upload)))
            }
            take(answer)
        }
    }

    /// One of those who wait for the disk gets on by some steps.
    func takeTurn(_ random: inout RandomStream) {
        guard !unfinished.isEmpty else { return }
        var index = Int(random.below(UInt64(unfinished.count)))
        // Uploads to one place are shown one after the other.
        let object = unfinished[index].object
        if object != nil { index = unfinished.firstIndex { $0.object == object } ?? index }
        for _ in 0...random.below(8)
        where !docroot.goOn(&unfinished[index].steps, at: now.nanoseconds / 1_000_000_000) {
            return finish(index)
        }
    }

    private func finish(_ index: Int) {
        let work = unfinished.remove(at: index)
        if !isDark { take(work.answer(of: &docroot)) }
    }

    /// The next answer on a connection, once its head is there; interim ones are passed over.
    func reply(on connection: UInt32 = 1) -> Reply? {
        guard let stream = heard[connection], case .bytes(let bytes)? = stream.first else {
            return nil
        }
        let blankLine = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        guard let end = blankLine.map({ $0.upperBound - 1 }),
            let head = try? HTTPResponseHead(parsing: Array(bytes[...end]))
        else {
            return nil
        }
        let rest = bytes[(end + 1)...]
        let behind = (rest.isEmpty ? [] : [Segment.bytes(Array(rest))]) + stream.dropFirst()
        if head.status < 200 {
            heard[connection] = behind
            return reply(on: connection)
        }
        heard[connection] = []
        return Reply(head: head, body: behind)
    }

    /// The reader takes what it was sent.
    func drain(_ connection: UInt32) { take(.drained(ServerConnectionID(connection))) }

    /// What came behind the last answer that was looked at.
    func rest(on connection: UInt32) -> [Segment] {
        var ranges: [ContentRange] = []
        for case .content(let range) in heard[connection] ?? [] { ranges.join(range) }
        heard[connection] = []
        return ranges.map(Segment.content)
    }

    /// What is to be read on a connection, as text without dates; what is no text shows as U+FFFD.
    func raw(on connection: UInt32 = 1) -> String {
        var bytes: [UInt8] = []
        for case .bytes(let some) in heard[connection] ?? [] { bytes += some }
        return String(decoding: bytes, as: UTF8.self)
            .replacing(#/Date: [^\r]*\r\n/#, with: "")
    }

    // MARK: The world

    private func take(_ input: ServerInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var outputs: [ServerOutput] = []
            if case .published(let upload, _) = inputs[0] { docroot.wasTold(of: upload) }
            deadline = server.handle(inputs.removeFirst(), at: now, into: &outputs)
            for output in outputs where !isDark { carryOut(output, answers: &inputs) }
            guard isDark else { continue }
            guard failsByFault else { return }
            failsByFault = false
            docroot.stepsWithPower = nil
            inputs = [.powerFailed]
        }
    }

    private func publish(
        _ upload: UploadID, as object: ObjectPath, at wall: UInt64, answers: inout [ServerInput]
    ) {
        if disksTakeTurns {
            do throws(StoreFailure) {
                unfinished.append(.publish(try docroot.begin(upload, as: object)))
            } catch {
                answers.append(.storeFailed(upload, error))
            }
            return
        }
        switch docroot.publish(upload, as: object, at: wall) {
        case .success(let body): answers.append(.published(upload, body))
        case .failure(let failure): answers.append(.storeFailed(upload, failure))
        }
    }

    private func confirm(_ upload: UploadID, answers: inout [ServerInput]) {
        if storeStages {
            answers.append(.staged(upload, docroot.confirm(upload)))
        } else {
            unsaid.append(.staged(upload, staged(upload)))
        }
    }

    private func carryOut(_ output: ServerOutput, answers: inout [ServerInput]) {
        let wall = now.nanoseconds / 1_000_000_000
        switch output {
        case .keep(let record):
            guard !keepsNothing else {
                return answers.append(.storeFailed(record.id, StoreFailure(.noSpace, "full")))
            }
            kept.append(record)
            docroot.keep(record)
            let answer = ServerInput.kept(record.id)
            if storeKeeps { answers.append(answer) } else { unsaid.append(answer) }
        case .stage(let id, let offset, let segments):
            docroot.stage(id, at: offset, segments)
            confirm(id, answers: &answers)
        case .stageProvisionally(let id, let offset, let segments):
            docroot.stageProvisionally(id, at: offset, segments)
        case .count(let id):
            docroot.count(id)
            confirm(id, answers: &answers)
        case .publish(let id, let object): publish(id, as: object, at: wall, answers: &answers)
        case .truncate(let id, let offset):
            truncated.append(offset)
            docroot.truncate(id, to: offset)
        case .discard(let id): docroot.discard(id)
        case .ask(let ticket, .makeFolder(let path)) where disksTakeTurns:
            unfinished.append(.makeFolder(ticket, docroot.order.makeFolder(path)[...]))
        case .ask(let ticket, let request):
            let answer = ServerInput.answered(ticket, docroot.answer(request, at: wall))
            if storeAnswers { answers.append(answer) } else { unsaid.append(answer) }
        case .send(let id, let segments): heard[id.number, default: []] += segments
        case .sendBody(let id, let body, let offset, let length):
            heard[id.number, default: []] += docroot.piece(of: body, at: offset, length: length)
            if readersTake { answers.append(.drained(id)) }
        case .closeBody(let body): docroot.close(body)
        case .hold(let id): held.insert(id.number)
        case .goOn(let id): held.remove(id.number)
        case .close(let id): closed.append(id.number)
        case .abort(let id): aborted.append(id.number)
        case .admit(let session): admitted.append(session)
        case .restart(let pause, let keepsStaging):
            aborted += heard.keys.sorted()
            heard = [:]
            answers = []
            isDown = (now + pause, keepsStaging)
        case .failPower(let steps):
            failsByFault = steps != nil
            docroot.stepsWithPower = steps
        case .losePower(let pause):
            aborted += heard.keys.sorted()
            heard = [:]
            unsaid = []
            answers = []
            lost = docroot.losePower(sparing: &chance)
            isDown = (now + pause, true)
        case .note(let note): notes.append(note)
        }
    }
}

/// So many bytes of a file's version, from an offset on.
func bytes(_ length: UInt64, of file: UInt32 = 1, at offset: UInt64 = 0) -> [Segment] {
    [
        .content(
            ContentRange(
                FileVersion(file: file, edit: 0), offset: ByteCount(offset),
                length: ByteCount(length)))
    ]
}
