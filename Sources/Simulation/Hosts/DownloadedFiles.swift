import Content
import Device
import Quantities
import TransferEngine

/// The daemon's own files, in which downloads are kept until their apps have heard of them, or the
/// parts of an app's resumable downloads: ranges of the files that they are of, and no bytes. A
/// restart in good order leaves them as they are.
final class DownloadedFiles {
    private var bodies: [String: SymbolicBody] = [:]
    /// Those that an app has moved away: the daemon has them until it knows that the app has heard
    /// of their end, but their room is the app's.
    private var givenAway: [String] = []
    private var paths: [TransferID: String] = [:]
    /// They share its room with the files of the apps.
    private let disk: PhoneDisk

    init(on disk: PhoneDisk) { self.disk = disk }

    /// Paths of apps are relative; those of the daemon are not.
    static func holds(_ path: String) -> Bool { path.hasPrefix("/") }

    func inspect(_ path: String) -> SourceInspection {
        bodies[path].map {
            .regularFile(SourceFingerprint(size: $0.total, modified: 0))
        } ?? .missing
    }

    /// What stood behind the offset is gone; the answer is how much there is, or `nil` if the disk
    /// does not take it: then all is as it was.
    func keep(
        _ segments: [Segment], in path: String, at offset: ByteCount, of transfer: TransferID
    ) -> ByteCount? {
        var body = bodies[path] ?? SymbolicBody()
        let size = segments.reduce(offset) { $0 + $1.length }
        do throws(DiskRefusal) {
            try disk.space.permitWrite(from: body.total, to: size)
        } catch { return nil }
        if body.total > offset { _ = body.cut(at: offset) }
        for segment in segments { body.append(segment) }
        bodies[path] = body
        paths[transfer] = path
        return body.total
    }

    func content(of transfer: TransferID) -> [ContentRange]? {
        paths[transfer].flatMap { bodies[$0]?.ranges }
    }

    func body(at path: String) -> SymbolicBody? { bodies[path] }

    func giveAway(_ path: String) {
        if !givenAway.contains(path) { givenAway.append(path) }
    }

    func discard(_ path: String) {
        guard let body = bodies.removeValue(forKey: path) else { return }
        if let place = givenAway.firstIndex(of: path) {
            givenAway.remove(at: place)
        } else {
            disk.space.changed(from: body.total, to: .zero)
        }
    }

    func clear() {
        for path in bodies.keys.sorted() { discard(path) }
    }

    /// What had not come to the disk is lost: the end of each, by chance.
    func losePower(random: inout RandomStream) {
        for path in bodies.keys.sorted() where !givenAway.contains(path) {
            guard var body = bodies[path], body.total > .zero else { continue }
            let size = body.total
            _ = body.cut(at: ByteCount(random.below(size.bytes)))
            bodies[path] = body
            disk.space.changed(from: size, to: body.total)
        }
    }
}
