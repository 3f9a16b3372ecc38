import Content
import DocrootServer
import Facts
import Protocols
import Quantities

/// A scripted tus client on the server's own doorstep, with a store that answers only when it is
/// told to.
struct TusConversation {
    private(set) var server = DocrootServer()
    private(set) var answers: [(connection: UInt32, head: HTTPResponseHead)] = []
    private(set) var notes: [ServerFact] = []
    /// What followed the head of the last answer.
    private(set) var lastBody: [UInt8] = []
    private(set) var closed: [UInt32] = []
    private(set) var published: [String] = []
    private var unsaid: [ServerInput] = []
    private var totals: [UploadID: ByteCount] = [:]
    /// Whether the store answers at once.
    var storeAnswers = true
    /// Whether the store can put objects into their place.
    var storePublishes = true

    mutating func connect(_ connection: UInt32) {
        let client = ClientAddress(0x7f00_0001)
        send(.connected(ServerConnectionID(connection), from: client))
    }

    mutating func ask(_ request: TusRequest, on connection: UInt32) {
        send(
            .received(
                ServerConnectionID(connection), [.bytes(request.head(host: "docroot").bytes)]))
    }

    mutating func body(_ range: ContentRange, on connection: UInt32) {
        send(.received(ServerConnectionID(connection), [.content(range)]))
    }

    mutating func disconnect(_ connection: UInt32) {
        send(.disconnected(ServerConnectionID(connection)))
    }

    /// The store says what it has held back so far.
    mutating func letStoreAnswer() {
        while !unsaid.isEmpty { send(unsaid.removeFirst()) }
    }

    var lastStatus: Int? { answers.last?.head.status }

    private mutating func send(_ input: ServerInput) {
        var outputs: [ServerOutput] = []
        _ = server.handle(input, at: .start, into: &outputs)
        for output in outputs {
            switch output {
            case .stage(let upload, let offset, let segments):
                totals[upload] = offset + segments.length
                answer(.staged(upload, totals[upload] ?? .zero))
            case .keep(let record): answer(.kept(record.id))
            case .publish(let upload, let object):
                if storePublishes { published.append(object.text) }
                answer(
                    storePublishes
                        ? .published(upload, PublishedBody(version: 1, content: []))
                        : .storeFailed(upload, StoreFailure(.broken, "in the way")))
            case .send(let connection, let segments):
                for case .bytes(let bytes) in segments { note(bytes, from: connection) }
            case .close(let connection): closed.append(connection.number)
            case .note(let note): notes.append(note)
            case .stageProvisionally, .count, .ask, .sendBody, .closeBody, .admit, .hold, .goOn,
                .abort,
                .discard, .truncate, .restart, .failPower, .losePower:
                preconditionFailure("no upload by tus ends in \(output)")
            }
        }
    }

    private mutating func answer(_ input: ServerInput) {
        if storeAnswers { send(input) } else { unsaid.append(input) }
    }

    private mutating func note(_ bytes: [UInt8], from connection: ServerConnectionID) {
        let end = bytes.indices.first {
            bytes[...$0].suffix(4).elementsEqual(Array("\r\n\r\n".utf8))
        }
        guard let end, let head = try? HTTPResponseHead(parsing: Array(bytes[...end])) else {
            return
        }
        answers.append((connection.number, head))
        lastBody = Array(bytes[(end + 1)...])
    }
}
