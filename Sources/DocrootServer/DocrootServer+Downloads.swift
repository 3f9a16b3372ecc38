import Content
import Facts
import Protocols
import Quantities

/// Sends objects to readers piece by piece, as fast as the world takes them.
extension DocrootServer {
    /// Answers a request with an opened object, or with parts of it.
    mutating func startSending(
        _ download: Download, _ head: HTTPResponseHead, version: UInt64,
        on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        guard let request = exchanges[id]?.head else { return }
        var head = head
        if !faults.isEmpty {
            var ready = ReadyAnswer.object(download, head, version: version)
            guard spoil(&ready, on: id, into: &outputs) else { return }
            head = ready.head
        }
        let isLast = mark(&head, answering: request, on: id, into: &outputs)
        let defects = faults.defects(on: id)
        let bytes = defects.bytes(of: head)
        var download = download
        download.isLast = isLast || defects.endsConnection
        download.pieces = defects.pieces(download.pieces, behind: bytes)
        outputs.append(.send(id, [.bytes(bytes)]))
        for case .part(let offset, let length) in download.pieces {
            outputs.append(
                .note(
                    .reading(
                        object: download.object.text, version: version, at: offset,
                        length: length)))
        }
        exchanges[id]?.state = .sending(download)
        goOnSending(on: id, into: &outputs)
    }

    /// Sends more, as there is room.
    mutating func goOnSending(
        on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        while let exchange = exchanges[id], case .sending(var download) = exchange.state {
            guard faults.isEmpty || spoilObject(on: id, into: &outputs) else { return }
            guard let piece = download.next(atMost: faults.room(.sent, on: id)) else {
                outputs.append(.closeBody(download.body))
                return finish(id, isLast: download.isLast, into: &outputs)
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
    mutating func endReaders(
        ofReplaced object: ObjectPath, into outputs: inout [ServerOutput]
    ) {
        let readers = exchanges.filter { _, exchange in
            guard case .sending(let download) = exchange.state else { return false }
            return download.breaksWhenReplaced && download.object == object
        }
        for id in readers.keys.sorted(by: { $0.number < $1.number }) {
            guard case .sending(let download) = exchanges[id]?.state else { continue }
            exchanges[id] = nil
            faults.disconnected(id)
            breakOff(download, "the object was replaced", into: &outputs)
            outputs.append(.abort(id))
        }
    }

    func breakOff(
        _ download: Download, _ why: String, into outputs: inout [ServerOutput]
    ) {
        outputs.append(.closeBody(download.body))
        outputs.append(
            .note(
                .readingBroken(object: download.object.text, at: download.reached, why: why)))
    }
}
