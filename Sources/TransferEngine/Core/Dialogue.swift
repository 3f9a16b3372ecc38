import Protocols
import Quantities

/// What a transfer does next on its wire.
indirect enum Step: Hashable, Sendable {
    case ask(TransferRequest)
    /// Asks with the source's bytes as its body: from this offset to the file's end.
    case send(TransferRequest, from: ByteCount, to: ByteCount)
    /// Has its record made durable first.
    case save(then: Step)
    case complete
    case fail(TransferError)
}

/// A request of any of the wires.
enum TransferRequest: Hashable, Sendable {
    case tus(TusRequest)

    func head(host: String) -> HTTPRequestHead {
        switch self {
        case .tus(let request): request.head(host: host)
        }
    }

    /// Whether its answer is a head whose fields tell of a body that does not follow.
    var asksForHeadAlone: Bool {
        switch self {
        case .tus(.offset): true
        case .tus(.create), .tus(.append), .tus(.terminate): false
        }
    }

    /// What the request is about, by the server's name for it.
    var resource: String {
        switch self {
        case .tus(.create(let collection, _, _)): collection
        case .tus(.offset(let resource)), .tus(.append(let resource, _, _)),
            .tus(.terminate(let resource)):
            resource
        }
    }
}
