import Content
import Quantities
import TransferEngine

/// The daemon's own files, in which downloads are kept until their apps have heard of them: ranges
/// of the files that they are of, and no bytes. A restart in good order leaves them as they are.
struct DownloadedFiles {
    private var bodies: [String: SymbolicBody] = [:]
    private var paths: [TransferID: String] = [:]

    /// Paths of apps are relative; those of the daemon are not.
    static func holds(_ path: String) -> Bool { path.hasPrefix("/") }

    func inspect(_ path: String) -> SourceInspection {
        bodies[path].map {
            .regularFile(SourceFingerprint(size: $0.total, modified: 0))
        } ?? .missing
    }

    /// What stood behind the offset is gone; the answer is how much there is.
    mutating func keep(
        _ segments: [Segment], in path: String, at offset: ByteCount, of transfer: TransferID
    ) -> ByteCount {
        var body = bodies[path] ?? SymbolicBody()
        if body.total > offset { _ = body.cut(at: offset) }
        for segment in segments { body.append(segment) }
        bodies[path] = body
        paths[transfer] = path
        return body.total
    }

    func content(of transfer: TransferID) -> [ContentRange]? {
        paths[transfer].flatMap { bodies[$0]?.ranges }
    }

    mutating func discard(_ path: String) { bodies[path] = nil }

    /// What had not come to the disk is lost: the end of each, by chance.
    mutating func losePower(random: inout RandomStream) {
        for path in bodies.keys.sorted() {
            guard var body = bodies[path], body.total > .zero else { continue }
            _ = body.cut(at: ByteCount(random.below(body.total.bytes)))
            bodies[path] = body
        }
    }
}
