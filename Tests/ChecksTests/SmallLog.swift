import Content
import Quantities
import RunLog

/// Short forms for the logs of these tests: `video.mov`, 100 bytes, goes to `in/video.mov`.
enum SmallLog {
    static let first = FileVersion(file: 1, edit: 0)
    static let second = FileVersion(file: 1, edit: 1)
    static let upload = ResourceName("/tus/1")
    static let connection = ConnectionName(launch: 1, number: 1)

    static func begins(sessions: Int) -> RunEvent.Fact {
        .run(
            .began(
                RunBeginning(
                    scenario: "a small log", world: .simulated, seed: 1, text: "", path: "",
                    sentences: [], sessions: sessions, command: "")))
    }

    static func accepted(_ session: UInt64 = 1) -> RunEvent.Fact {
        let transfer = AcceptedTransfer(
            transfer: TransferName(session), source: "video.mov", destination: "in/video.mov")
        return .engine(.accepts(ItemName(session), index: Int(session) - 1, [transfer]))
    }

    static func stands(_ version: FileVersion, size: UInt64 = 100) -> RunEvent.Fact {
        .file(.stands(path: "video.mov", version: version, size: ByteCount(size)))
    }

    static func range(_ version: FileVersion, _ bytes: Range<UInt64>) -> ContentRange {
        ContentRange(
            version, offset: ByteCount(bytes.lowerBound), length: ByteCount(UInt64(bytes.count)))
    }

    static func published(_ ranges: [ContentRange]) -> RunEvent.Fact {
        .server(.published(upload, object: "in/video.mov", version: 1, ranges))
    }

    static func completes(_ transfer: UInt64 = 1) -> RunEvent.Fact {
        .engine(.completes(TransferName(transfer)))
    }

    static func acknowledged(_ offset: UInt64, in resource: ResourceName = upload) -> RunEvent.Fact
    {
        .server(.acknowledged(resource, offset: ByteCount(offset)))
    }

    static func created(_ resource: ResourceName = upload) -> RunEvent.Fact {
        .server(.created(resource, object: "in/video.mov", length: ByteCount(100)))
    }

    static func sends(
        from offset: UInt64, to resource: ResourceName = upload,
        on connection: ConnectionName = connection, bodyAt: UInt64 = 0
    ) -> RunEvent.Fact {
        .engine(
            .sends(
                TransferName(1), resource: resource, from: ByteCount(offset), on: connection,
                bodyAt: ByteCount(bodyAt)))
    }

    static func inspected(size: UInt64 = 100, modified: UInt64) -> RunEvent.Fact {
        .engine(.inspected(TransferName(1), size: ByteCount(size), modified: modified))
    }

    static func resumes(at offset: UInt64) -> RunEvent.Fact {
        .engine(.resumes(TransferName(1), resource: upload, at: ByteCount(offset)))
    }

    static func ended(
        _ connection: ConnectionName = connection, transmitted: UInt64
    ) -> RunEvent.Fact {
        .connection(.ended(connection, why: .closed, transmitted: ByteCount(transmitted)))
    }

    static func stage(
        _ session: UInt64, _ from: ItemStage, _ to: ItemStage
    ) -> RunEvent.Fact {
        .engine(.moves(ItemName(session), from: from, to: to, because: "the test says so"))
    }

    static func stage(_ from: ItemStage, _ to: ItemStage) -> RunEvent.Fact {
        stage(1, from, to)
    }

    static func told(_ session: UInt64, _ callback: SessionCallback) -> RunEvent.Fact {
        .queue(.callback(ItemName(session), callback))
    }

    static func told(_ callback: SessionCallback) -> RunEvent.Fact { told(1, callback) }

    static func progress(_ done: UInt64, of name: String = "video.mov") -> SessionCallback {
        .progress(name: name, done: ByteCount(done), total: ByteCount(100))
    }

    /// Progress of a file, and of its session of several.
    static func progress(
        _ done: UInt64, of name: String, inAll whole: UInt64, of total: UInt64?
    ) -> SessionCallback {
        .progress(
            name: name, done: ByteCount(done), total: ByteCount(100),
            ofSession: SessionProgress(
                done: ByteCount(whole), total: total.map { ByteCount($0) }))
    }

    /// A session of these files, with transfers numbered from 1.
    static func acceptedSet(_ names: [String]) -> RunEvent.Fact {
        let transfers = names.enumerated().map {
            AcceptedTransfer(
                transfer: TransferName(UInt64($0 + 1)), source: $1, destination: "in/\($1)")
        }
        return .engine(.accepts(ItemName(1), index: 0, transfers))
    }

    static let killed = RunEvent.Fact.device(.appKilled(launch: 1))
    static let launched = RunEvent.Fact.device(.appLaunched(launch: 2))
    static let runEnds = RunEvent.Fact.run(.ended(.quiet))
}
