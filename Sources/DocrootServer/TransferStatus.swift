package import Quantities

/// An upload or a download as somebody may ask for it while the server runs.
package struct TransferStatus: Hashable, Sendable {
    package var direction: Direction
    package var object: String
    package var frontEnd: FrontEnd
    /// What is durable of an upload, or how far a download has come, to the block.
    package var done: ByteCount
    /// Unknown of an upload whose client has not told it.
    package var total: ByteCount?
    /// Who is at it; an upload may wait for somebody to come back.
    package var client: ClientAddress?

    package enum Direction: String, Hashable, Sendable, Codable { case upload, download }
}

extension DocrootServer {
    /// What is not finished yet: uploads in the order in which they were begun, then downloads in
    /// that of their connections.
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
