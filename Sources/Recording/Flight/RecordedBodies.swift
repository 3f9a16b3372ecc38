import Content
import Protocols
import Quantities
import TransferEngine

/// Replaces downloaded content in a recording by its length, because an engine passes it on unread
/// and it may be private. Heads and other answers of a server are kept, without signatures.
struct RecordedBodies {
    private var connections: [ConnectionID: Answers] = [:]
    private var scrubbers: [ConnectionID: SignatureScrubber] = [:]

    /// The file version that stands for omitted bytes.
    static let leftOut = FileVersion(file: .max, edit: 0)

    mutating func asked(_ method: String, on connection: ConnectionID) {
        connections[connection, default: Answers()].asked.append(method)
    }

    mutating func closed(_ connection: ConnectionID) {
        connections[connection] = nil
        scrubbers[connection] = nil
    }

    mutating func cleared(_ segments: [Segment], of connection: ConnectionID) -> [Segment] {
        var cleared: [Segment] = []
        for segment in segments {
            connections[connection, default: Answers()].clear(segment, into: &cleared)
        }
        return cleared.map { segment in
            guard case .bytes(let bytes) = segment else { return segment }
            return .bytes(scrubbers[connection, default: SignatureScrubber()].scrub(bytes))
        }
    }

    /// The answers of one connection, in the order of the requests.
    private struct Answers {
        var asked: ArraySlice<String> = []
        private var reader = HTTPMessageReader<HTTPResponseHead>()
        private var isContent = false
        private var isBroken = false
        private var leftOut = ByteCount.zero

        mutating func clear(_ segment: Segment, into cleared: inout [Segment]) {
            guard case .bytes(let bytes) = segment else {
                _ = isBody(segment)
                return cleared.append(segment)
            }
            var kept: [UInt8] = []
            var place = 0
            while place < bytes.count, !isBroken {
                // Heads and chunk lines are read byte by byte, because their end is unknown.
                let most = ByteCount(UInt64(bytes.count - place))
                let count = Int(max(ByteCount(1), min(reader.bodyLeft, most)).bytes)
                let piece = bytes[place..<place + count]
                place += count
                guard isBody(.bytes(Array(piece))), isContent else {
                    kept += piece
                    continue
                }
                if !kept.isEmpty { cleared.append(.bytes(kept)) }
                kept = []
                let length = ByteCount(UInt64(count))
                cleared.join(
                    .content(
                        ContentRange(RecordedBodies.leftOut, offset: leftOut, length: length)))
                leftOut += length
            }
            kept += bytes[place...]
            if !kept.isEmpty { cleared.append(.bytes(kept)) }
        }

        /// Whether a body is downloaded content. The engine reads only short documents about
        /// uploads.
        private static func bringsContent(_ head: HTTPResponseHead) -> Bool {
            guard head.status == 200 || head.status == 206 else { return false }
            let isDocument = head.fields["Content-Type"]?.contains("json") ?? false
            let length = head.fields["Content-Length"].flatMap { UInt64($0) } ?? .max
            return !isDocument || length > documentLimit
        }

        private static let documentLimit = 4096

        /// Reads a piece and returns whether it belongs to a body. After anything that is not HTTP,
        /// nothing does.
        private mutating func isBody(_ piece: Segment) -> Bool {
            let method = asked.first
            guard
                let parts = try? reader.read(
                    [piece],
                    bodyless: { method == "HEAD" || $0.status == 204 || $0.status == 304 })
            else {
                isBroken = true
                return false
            }
            var isBody = false
            for part in parts {
                switch part {
                case .head(let head): isContent = method == "GET" && Self.bringsContent(head)
                case .body: isBody = true
                case .end: asked.removeFirst(min(1, asked.count))
                }
            }
            return isBody
        }
    }
}
