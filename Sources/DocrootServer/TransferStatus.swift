package import Quantities

/// An upload or download, as it can be requested while the server runs.
package struct TransferStatus: Hashable, Sendable {
    package var direction: Direction
    package var object: String
    package var frontEnd: FrontEnd
    /// The durable part of an upload, or the progress of a download, to the block.
    package var done: ByteCount
    /// Unknown for an upload whose client has not told it.
    package var total: ByteCount?
    /// The current client; an upload may wait for one.
    package var client: ClientAddress?

    package enum Direction: String, Hashable, Sendable, Codable { case upload, download }
}

extension DocrootServer {
    /// All unfinished transfers: uploads in the order of their beginning, then downloads in the
    /// order of their connections.
    package var transfers: [TransferStatus] {
        let open = uploads.values.filter { $0.stage != .published }
        let uploads = open.sorted { $0.id.number < $1.id.number }.map { upload in
            TransferStatus(
                direction: .upload, object: upload.record.object.text,
                frontEnd: upload.record.frontEnd, done: upload.staged,
                total: upload.endsAt ?? upload.record.length,
                client: upload.writer.flatMap { exchanges[$0]?.client })
        }
        let ids = exchanges.keys.sorted { $0.number < $1.number }
        let downloads = ids.compactMap { id -> TransferStatus? in
            guard let exchange = exchanges[id], let frontEnd = exchange.frontEnd,
                case .sending(let download) = exchange.state
            else { return nil }
            return TransferStatus(
                direction: .download, object: download.object.text, frontEnd: frontEnd,
                done: download.reached, total: download.size, client: exchange.client)
        }
        return uploads + downloads
    }
}
