import Content
import Device
import Quantities
import TransferEngine

/// Download files as ranges without bytes: the daemon's files, until the apps have heard of them,
/// or the parts of an app's resumable downloads. They survive an orderly restart.
final class DownloadedFiles {
    private var bodies: [String: SymbolicBody] = [:]
    /// Files that an app has moved away. The daemon keeps them until the app has heard of the end,
    /// but the app pays for their room.
    private var givenAway: [String] = []
    private var paths: [TransferID: String] = [:]
    /// Files of which a loss of power takes nothing.
    private var synced: Set<String> = []
    private let disk: PhoneDisk

    init(on disk: PhoneDisk) { self.disk = disk }

    /// Whether a path belongs to the daemon: only its paths are absolute.
    static func holds(_ path: String) -> Bool { path.hasPrefix("/") }

    func inspect(_ path: String) -> SourceInspection {
        bodies[path].map {
            .regularFile(SourceFingerprint(size: $0.total, modified: 0))
        } ?? .missing
    }

    /// Replaces everything from `offset` on. Returns the new size, or `nil` if the disk refuses;
    /// then nothing changes.
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
        synced.remove(path)
        return body.total
    }

    func content(of transfer: TransferID) -> [ContentRange]? {
        paths[transfer].flatMap { bodies[$0]?.ranges }
    }

    func body(at path: String) -> SymbolicBody? { bodies[path] }

    func giveAway(_ path: String) {
        if !givenAway.contains(path) { givenAway.append(path) }
    }

    func sync(_ path: String) { synced.insert(path) }

    func discard(_ path: String) {
        synced.remove(path)
        guard let body = bodies.removeValue(forKey: path) else { return }
        if let place = givenAway.firstIndex(of: path) {
            givenAway.remove(at: place)
        } else {
            disk.space.changed(from: body.total, to: .zero)
        }
    }

    /// Paths of all files, in order.
    var all: [String] { bodies.keys.sorted() }

    func clear() {
        for path in all { discard(path) }
    }

    /// Cuts each file that was not synced at a random place, because later bytes had not reached
    /// the disk.
    func losePower(random: inout RandomStream) {
        for path in all where !givenAway.contains(path) && !synced.contains(path) {
            guard var body = bodies[path], body.total > .zero else { continue }
            let size = body.total
            _ = body.cut(at: ByteCount(random.below(size.bytes)))
            bodies[path] = body
            disk.space.changed(from: size, to: body.total)
        }
    }
}
