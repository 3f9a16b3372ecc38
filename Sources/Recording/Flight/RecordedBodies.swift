import Content
import Protocols
import Quantities
import TransferEngine

/// Leaves out of a recording what downloads bring: an engine passes it on unseen, and it is
/// nobody's business. Its length stands for it; heads, and what a server says beside
/// them, are kept.
struct RecordedBodies {
    private var connections: [ConnectionID: Answers] = [:]

    /// Stands for bytes that were left out.
    static let leftOut = FileVersion(file: .max, edit: 0)

    mutating func asked(_ head: HTTPRequestHead, on connection: ConnectionID) {
        connections[connection, default: Answers()].asked.append(head.method)
    }

    mutating func closed(_ connection: ConnectionID) { connections[connection] = nil }

    mutating func cleared(_ segments: [Segment], of connection: ConnectionID) -> [Segment] {
        var cleared: [Segment] = []
        for segment in segments {
            connections[connection, default: Answers()].clear(segment, into: &cleared)
        }
        return cleared
    }

    /// The answers of one connection, in the order of what was asked.
    private struct Answers {
        var asked: ArraySlice<String> = []
        private var reader = HTTPMessageReader<HTTPResponseHead>()
        private var isContent = false
        private var leftOut = ByteCount.zero

        mutating func clear(_ segment: Segment, into cleared: inout [Segment]) {
            var rest = segment
            while rest.length > .zero {
                // Heads and the lines of chunks go byte by byte, until it is known where they end.
                let next = max(ByteCount(1), min(reader.bodyLeft, rest.length))
                let (piece, behind) = rest.split(at: next)
                rest = behind
                cleared.joinBytes(isBody(piece) && isContent ? replaced(piece) : piece)
            }
        }

        private mutating func replaced(_ piece: Segment) -> Segment {
            guard case .bytes(let bytes) = piece else { return piece }
            let length = ByteCount(UInt64(bytes.count))
            defer { leftOut += length }
            return .content(
                ContentRange(RecordedBodies.leftOut, offset: leftOut, length: length))
        }

        /// What a server says of an upload is read by the engine, and is a short document.
        private static func bringsContent(_ head: HTTPResponseHead) -> Bool {
            guard head.status == 200 || head.status == 206 else { return false }
            let isDocument = head.fields["Content-Type"]?.contains("json") ?? false
            let length = head.fields["Content-Length"].flatMap { UInt64($0) } ?? .max
            return !isDocument || length > documentLimit
        }

        private static let documentLimit = 4096

        /// What is no HTTP is no body either.
        private mutating func isBody(_ piece: Segment) -> Bool {
            let method = asked.first
            guard
                let parts = try? reader.read(
                    [piece],
                    bodyless: { method == "HEAD" || $0.status == 204 || $0.status == 304 })
            else { return false }
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

extension [Segment] {
    /// Joins bytes to bytes, too.
    fileprivate mutating func joinBytes(_ next: Segment) {
        guard case .bytes(let more) = next, case .bytes(var bytes) = last else { return join(next) }
        self[count - 1] = .bytes([])
        bytes += more
        self[count - 1] = .bytes(bytes)
    }
}
