import CLinux
import Content
import DocrootServer
import Glibc
import Quantities
import TransferHost

/// Uploads on a real disk: staging files beside the docroot, and the records of resumable ones, in
/// the order that `DiskOrder` prescribes.
///
/// The loop writes, and threads wait for the disk. Each upload has one piece of work after the
/// other; meanwhile the next bytes gather, so the cost regulates itself. An upload that cannot be
/// resumed reaches the disk only when it is published.
struct StagingArea: ~Copyable {
    let workshop: Workshop
    let folders: KnownFolders
    let attributes: ObjectAttributes
    private let workers: DiskWorkers
    private var files: [UploadID: StagedFile] = [:]
    private var openUploads = OpenUploads()
    private let numbers: VersionCounter
    /// Uploads with unconfirmed data, in the order of writing.
    private var unconfirmed: [UploadID] = []
    private var lanes: [UploadID: [Work]] = [:]
    /// Uploads for which a thread waits.
    private var waiting: Set<UploadID> = []
    /// The upload that is being published at each place: one at a time, so that the last one stays.
    private var places: [ObjectPath: UploadID] = [:]
    private var results: [Result] = []

    /// The steps of one of the server's orders.
    private struct Work {
        var steps: ArraySlice<DiskStep>
        var end: End

        /// Puts an undone step back in front.
        mutating func goBack(to step: DiskStep) { steps = [step] + steps }
    }

    /// Work of a thread, after which the upload goes on.
    private typealias Wait = @Sendable () throws(SystemError) -> Void

    private enum End: Hashable {
        case kept, confirmed(ByteCount), published(ObjectPath), discarded
    }

    enum Result {
        case said(ServerInput)
        /// Readers see the upload from now on.
        case shown(UploadID, OpenFile, version: UInt64, replaced: ByteCount)
    }

    init(
        in workshop: Workshop, _ folders: KnownFolders, attributes: ObjectAttributes,
        workers: DiskWorkers
    ) throws(SystemError) {
        self.workshop = workshop
        self.folders = folders
        self.attributes = attributes
        self.workers = workers
        numbers = try VersionCounter(.uploads, in: workshop)
    }

    var spentNumbers: UInt64 { numbers.spent }

    /// Whether nothing is on its way to the disk.
    var isQuiet: Bool { lanes.isEmpty && unconfirmed.isEmpty && results.isEmpty }

    /// Whether work waits for nothing but its turn.
    var isBusy: Bool { !results.isEmpty || unconfirmed.contains { lanes[$0] == nil } }

    mutating func takeResults() -> [Result] {
        defer { results = [] }
        return results
    }

    // MARK: The server's wishes

    /// Takes over the bytes of an upload that an earlier server has left.
    mutating func adopt(_ upload: UploadID, length: ByteCount) {
        let file = StagedFile()
        file.length = length
        file.isKept = true
        files[upload] = file
    }

    mutating func keep(_ record: UploadRecord) {
        let isNew = files[record.id] == nil
        begin(workshop.order.keep(record, isNew: isNew), of: record.id, .kept)
        files[record.id]?.isKept = true
    }

    mutating func append(
        _ segments: [Segment], to upload: UploadID, at offset: ByteCount
    ) throws(SystemError) {
        try write(segments, to: upload, at: offset)
        if !unconfirmed.contains(upload) { unconfirmed.append(upload) }
    }

    /// Appends bytes that count only once `count` is called.
    mutating func appendProvisionally(
        _ segments: [Segment], to upload: UploadID, at offset: ByteCount
    ) throws(SystemError) {
        let file = try file(of: upload)
        if file.provisionalFrom == nil { file.provisionalFrom = offset }
        try write(segments, to: upload, at: offset)
    }

    mutating func count(_ upload: UploadID) {
        files[upload]?.provisionalFrom = nil
        if !unconfirmed.contains(upload) { unconfirmed.append(upload) }
    }

    private mutating func write(
        _ segments: [Segment], to upload: UploadID, at offset: ByteCount
    ) throws(SystemError) {
        let open = try opened(upload)
        var end = offset
        for segment in segments {
            try open.descriptor.write(segment.bytes, at: end.bytes)
            end += segment.length
        }
        files[upload]?.length = end
    }

    /// Takes back the bytes after an offset.
    mutating func truncate(_ upload: UploadID, to offset: ByteCount) throws(SystemError) {
        let file = try file(of: upload)
        let open = try opened(upload)
        if file.isKept { StagedMark.lower(to: offset, of: open.descriptor) }
        guard ftruncate(open.descriptor.number, off_t(offset.bytes)) == 0 else {
            throw SystemError("shorten the bytes of upload \(upload.number)")
        }
        file.length = offset
        file.provisionalFrom = nil
        file.confirmable = min(file.confirmable, offset)
    }

    mutating func publish(_ upload: UploadID, as object: ObjectPath) {
        begin(workshop.order.publish(upload, as: object), of: upload, .published(object))
    }

    mutating func discard(_ upload: UploadID) {
        let isKept = files[upload]?.isKept ?? true
        begin(workshop.order.discard(upload, isKept: isKept), of: upload, .discarded)
    }

    /// Ends a turn: appended bytes become durable if their upload can be resumed.
    mutating func confirm() {
        let uploads = unconfirmed
        unconfirmed = []
        for upload in uploads {
            guard let file = files[upload] else { continue }
            let total = min(file.length, file.provisionalFrom ?? file.length)
            guard file.isKept else {
                results.append(.said(.staged(upload, total)))
                continue
            }
            guard lanes[upload] == nil else {
                unconfirmed.append(upload)
                continue
            }
            file.confirmable = total
            let steps = workshop.order.confirmation.map { $0.step(upload, total) }
            begin(steps, of: upload, .confirmed(total))
        }
    }

    // MARK: Lanes

    /// Handles a thread's result.
    mutating func done(_ upload: UploadID, _ error: SystemError?) {
        waiting.remove(upload)
        if let error { return fail(upload, error) }
        advance(upload)
    }

    private mutating func begin(_ steps: [DiskStep], of upload: UploadID, _ end: End) {
        lanes[upload, default: []].append(Work(steps: steps[...], end: end))
        if lanes[upload]?.count == 1 { advance(upload) }
    }

    /// Goes on with an upload until a thread has to wait, or nothing is left.
    private mutating func advance(_ upload: UploadID) {
        while let work = lanes[upload]?.first {
            if case .published(let object) = work.end {
                guard places[object] == nil || places[object] == upload else { return }
                places[object] = upload
            }
            do throws(SystemError) {
                if try !carryOutSteps(of: upload) { return }
                try finish(upload, work.end)
            } catch {
                return fail(upload, error)
            }
            leave(upload)
        }
    }

    /// Returns whether all steps are done.
    private mutating func carryOutSteps(of upload: UploadID) throws(SystemError) -> Bool {
        while let step = lanes[upload]?[0].steps.popFirst() {
            if let wait = try wait(for: step) {
                submit(wait, of: upload)
                return false
            }
            do throws(SystemError) { try carryOut(step) } catch {
                guard error == .numbersSpent, let reservation = reservation(for: step) else {
                    throw error
                }
                // The step is repeated when there are numbers for it.
                lanes[upload]?[0].goBack(to: step)
                submit(reservation, of: upload)
                return false
            }
        }
        return true
    }

    private mutating func submit(_ wait: @escaping Wait, of upload: UploadID) {
        waiting.insert(upload)
        workers.submit {
            do throws(SystemError) {
                try wait()
                return .step(of: upload, nil)
            } catch {
                return .step(of: upload, error)
            }
        }
    }

    private mutating func fail(_ upload: UploadID, _ error: SystemError) {
        // The next server removes what could not be discarded.
        if let end = lanes[upload]?.first?.end, end != .discarded {
            results.append(.said(.storeFailed(upload, StoreFailure(error))))
        }
        leave(upload)
        advance(upload)
    }

    /// Ends the first piece of work; an upload that waited for its place goes on.
    private mutating func leave(_ upload: UploadID) {
        guard let work = lanes[upload]?.removeFirst() else { return }
        if lanes[upload]?.isEmpty == true { lanes[upload] = nil }
        guard case .published(let object) = work.end else { return }
        places[object] = nil
        let ready = lanes.filter { $0.value.first?.end == work.end && !waiting.contains($0.key) }
        let next = ready.keys.min { $0.number < $1.number }
        if let next, next != upload { advance(next) }
    }

    private mutating func finish(_ upload: UploadID, _ end: End) throws(SystemError) {
        switch end {
        case .kept: results.append(.said(.kept(upload)))
        case .confirmed(let total):
            guard let file = files[upload] else { return }
            results.append(.said(.staged(upload, min(total, file.confirmable))))
        case .published(let object):
            guard let file = files[upload] else { return }
            forget(upload)
            let folder = try folders.folder(object.parent)
            let shown = try Descriptor(opening: object.name, in: folder.descriptor, O_RDONLY)
            results.append(
                .shown(
                    upload, OpenFile(shown), version: file.version, replaced: file.replaced))
        case .discarded: forget(upload)
        }
    }

    // MARK: Steps

    /// The work of a thread for a step that has to wait.
    private mutating func wait(for step: DiskStep) throws(SystemError) -> Wait? {
        switch step {
        case .synchronise(.staged(let upload)):
            let open = try opened(upload)
            return { () throws(SystemError) in try open.descriptor.synchronise() }
        case .synchronise, .synchroniseWorkshop:
            let workshop = workshop
            return { () throws(SystemError) in try workshop.carryOut(step) }
        case .synchroniseFolder(let path):
            let folder = OpenFile(
                Descriptor(adopting: try confined(path).descriptor.duplicate()))
            return { () throws(SystemError) in try folder.descriptor.synchronise() }
        case .settleFolder(let path):
            guard !folders.isSettled(path) else { return nil }
            let folders = folders
            return { () throws(SystemError) in try folders.settle(path) }
        case .make, .write, .mark, .stamp, .makeFolder, .rename, .remove: return nil
        }
    }

    /// The work of a thread for a step that lacks numbers.
    private func reservation(for step: DiskStep) -> Wait? {
        if case .stamp = step {
            let attributes = attributes
            return { () throws(SystemError) in try attributes.reserveVersions() }
        }
        guard case .write(.newRecord(let upload), _) = step else { return nil }
        let numbers = numbers
        return { () throws(SystemError) in try numbers.reserve(upload.number) }
    }

    private mutating func carryOut(_ step: DiskStep) throws(SystemError) {
        switch step {
        case .write(.newRecord(let upload), _) where !numbers.isReserved(upload.number):
            throw .numbersSpent
        case .make(.staged(let upload)): _ = try file(of: upload)
        case .mark(let upload, let total):
            let file = try file(of: upload)
            let open = try opened(upload)
            StagedMark.set(min(total, file.confirmable), of: open.descriptor)
        case .stamp(let upload, let object): try stamp(upload, for: object)
        case .makeFolder(let path): try makeFolder(path)
        case .rename(.staged(let upload), .object(let object)): try show(upload, as: object)
        // The folder is known to be durable.
        case .settleFolder: break
        case .make, .write, .rename, .remove, .synchronise, .synchroniseWorkshop,
            .synchroniseFolder:
            try workshop.carryOut(step)
        }
    }

    private mutating func stamp(_ upload: UploadID, for object: ObjectPath) throws(SystemError) {
        let file = try file(of: upload)
        let open = try opened(upload)
        let folder = try folders.folder(object.parent)
        file.replaced = .zero
        if let old = try? Descriptor(opening: object.name, in: folder.descriptor, O_RDONLY) {
            // RFC 4918 §9.7.1: a new body keeps the object's properties.
            file.replaced = ByteCount(UInt64(try old.status().st_size))
            let properties = ObjectAttributes.properties(of: old)
            if !properties.isEmpty {
                try ObjectAttributes.setProperties(properties, of: open.descriptor)
            }
        }
        file.version = try attributes.renew(open.descriptor)
    }

    private func makeFolder(_ path: ObjectPath) throws(SystemError) {
        let parent = try confined(path.parent)
        guard mkdirat(parent.descriptor.number, path.name, 0o755) == 0 || errno == EEXIST else {
            throw SystemError("make “\(path.text)”")
        }
        _ = try confined(path)
    }

    /// A non-folder on the way is a conflict for the client.
    private func confined(_ path: ObjectPath) throws(SystemError) -> ConfinedFolder {
        do throws(SystemError) {
            return try folders.folder(path)
        } catch {
            throw error.code == ENOTDIR ? SystemError(error.action, code: EEXIST) : error
        }
    }

    private func show(_ upload: UploadID, as object: ObjectPath) throws(SystemError) {
        let folder = try folders.folder(object.parent)
        let staged = DiskFile.staged(upload).workshopName
        guard
            renameat(
                workshop.folder.number, staged, folder.descriptor.number, object.name) == 0
        else {
            throw SystemError("publish “\(object.text)”", code: errno == EISDIR ? EEXIST : errno)
        }
    }

    /// Returns an upload, which is made if it is new.
    private mutating func file(of upload: UploadID) throws(SystemError) -> StagedFile {
        if let file = files[upload] { return file }
        let file = StagedFile()
        file.open = OpenFile(try workshop.open(.staged(upload), O_RDWR | O_CREAT | O_EXCL))
        files[upload] = file
        usesFile(of: upload)
        return file
    }

    /// Returns the file of an upload, which is opened again if it was closed.
    private mutating func opened(_ upload: UploadID) throws(SystemError) -> OpenFile {
        let file = try file(of: upload)
        usesFile(of: upload)
        if let open = file.open { return open }
        let open = OpenFile(try workshop.open(.staged(upload), O_RDWR))
        file.open = open
        return open
    }

    /// A thread that waits for a file keeps it open itself.
    private mutating func usesFile(of upload: UploadID) {
        if let other = openUploads.use(upload) { files[other]?.open = nil }
    }

    private mutating func forget(_ upload: UploadID) {
        files[upload] = nil
        openUploads.remove(upload)
    }
}
