import Content
import Facts
import Protocols
import Quantities

/// Sends objects to readers piece by piece, as fast as the world takes them.
extension DocrootServer {
    /// Answers a request with an opened object, or with parts of it.
    mutating func startSending(
        _ download: Download, _ head: HTTPResponseHead, version: UInt64, on id: ServerConnectionID
    ) {
        guard let request = exchanges[id]?.head else { return }
        var head = head
        if !faults.isEmpty {
            let content = ReadyAnswer.Content.object(download, version: version)
            var ready = ReadyAnswer(head: head, content: content)
            guard spoil(&ready, on: id) else { return }
            head = ready.head
        }
        let isLast = mark(&head, answering: request, on: id)
        let defects = faults.defects(on: id)
        let bytes = defects.bytes(of: head)
        var download = download
        // Without a length, only the end of the connection ends the object.
        download.isLast = isLast || defects.endsConnection || !head.tellsLength
        download.pieces = defects.pieces(download.pieces, behind: bytes)
        outputs.append(.send(id, [.bytes(bytes)]))
        for case .part(let offset, let length) in download.pieces {
            note(
                .reading(
                    object: download.object.text, tag: version, at: offset,
                    length: length))
        }
        exchanges[id]?.state = .sending(download)
        goOnSending(on: id)
    }

    /// Sends more, as there is room.
    mutating func goOnSending(on id: ServerConnectionID) {
        while let exchange = exchanges[id], case .sending(var download) = exchange.state {
            guard faults.isEmpty || spoilObject(on: id) else { return }
            let limit = min(settings.block, faults.room(.sent, on: id))
            guard let piece = download.next(atMost: limit) else {
                outputs.append(.closeBody(download.body))
                return finish(id, isLast: download.isLast)
            }
            exchanges[id]?.state = .sending(download)
            if !faults.isEmpty { faults.pass(piece.length, .sent, on: id, at: now) }
            switch piece {
            case .bytes(let bytes): outputs.append(.send(id, [.bytes(bytes)]))
            case .part(let offset, let length):
                return outputs.append(.sendBody(id, download.body, at: offset, length: length))
            }
        }
    }

    /// Cuts off the readers of a replaced body, if the front end demands it (K8).
    mutating func endReaders(ofReplaced object: ObjectPath) {
        for id in exchanges.keys.sorted(by: { $0.number < $1.number }) {
            guard case .sending(let download) = exchanges[id]?.state,
                download.breaksWhenReplaced, download.object == object
            else { continue }
            exchanges[id] = nil
            faults.disconnected(id)
            breakOff(download, "the object was replaced")
            outputs.append(.abort(id))
        }
    }

    mutating func breakOff(_ download: Download, _ why: String) {
        outputs.append(.closeBody(download.body))
        note(.readingBroken(object: download.object.text, at: download.reached, why: why))
    }
}
