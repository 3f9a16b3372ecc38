import Content
import DocrootServer
import Quantities

/// Uploads on the virtual disk, step by step.
extension VirtualDocroot {
    /// Appends bytes that do not count until `count` is called.
    mutating func stageProvisionally(
        _ upload: UploadID, at offset: ByteCount, _ segments: [Segment]
    ) {
        stage(upload, at: offset, segments)
        if staged[upload]?.provisionalFrom == nil { staged[upload]?.provisionalFrom = offset }
    }

    mutating func count(_ upload: UploadID) { staged[upload]?.provisionalFrom = nil }

    /// Appends to a staging area; returns `nil` without power.
    @discardableResult
    mutating func stage(
        _ upload: UploadID, at offset: ByteCount, _ segments: [Segment]
    ) -> StagedFile? {
        guard let file = stagedFile(of: upload), hasPower() else { return nil }
        let total = disk[file.node].body.total
        precondition(offset == total, "an append at \(offset) to staging of \(total)")
        disk[file.node].append(segments)
        return file
    }

    /// Makes the upload durable if it can be resumed; returns how many bytes are safe.
    mutating func confirm(_ upload: UploadID) -> ByteCount {
        staged[upload].map { confirm($0) } ?? .zero
    }

    /// Makes a staged file durable. It takes the file itself, because every packet of an upload
    /// comes here.
    mutating func confirm(_ file: StagedFile) -> ByteCount {
        var total = disk[file.node].body.total
        if let limit = file.provisionalFrom { total = min(total, limit) }
        guard file.isKept else { return total }
        for part in order.confirmation where hasPower() {
            switch part {
            case .bytes: disk.synchronise(file.node)
            case .mark: disk[file.node].mark = total
            }
        }
        return total
    }

    mutating func keep(_ record: UploadRecord) {
        spend(record.id.number, of: .uploads)
        for step in order.keep(record, isNew: staged[record.id] == nil) { carryOut(step) }
        staged[record.id]?.isKept = true
    }

    /// Publishes a staging area in one step, and returns what readers now see.
    mutating func publish(
        _ upload: UploadID, as object: ObjectPath, at wallClock: UInt64
    ) -> Result<PublishedBody, StoreFailure> {
        do throws(StoreFailure) {
            var publication = try begin(upload, as: object)
            while goOn(&publication.steps, at: wallClock) {}
            return .success(try finish(publication))
        } catch {
            return .failure(error)
        }
    }

    /// A publication in progress. Other requests may come between two of its steps.
    struct Publication: Sendable {
        let upload: UploadID
        let object: ObjectPath
        var steps: ArraySlice<DiskStep>
        fileprivate let replaced: ByteCount
    }

    mutating func begin(
        _ upload: UploadID, as object: ObjectPath
    ) throws(StoreFailure) -> Publication {
        if let old = node(at: object), disk[old].isFolder {
            throw StoreFailure(.folderInTheWay, "“\(object.text)” is a folder")
        }
        if let file = stagedFile(of: upload) {
            let before = node(at: object).map { standing($0) }
            untold[upload] = Untold(object: object, node: file.node, before: before)
        }
        return Publication(
            upload: upload, object: object, steps: order.publish(upload, as: object)[...],
            replaced: node(at: object).map { disk[$0].body.total } ?? .zero)
    }

    /// Carries out the next step; returns false if there was none.
    mutating func goOn(_ steps: inout ArraySlice<DiskStep>, at wallClock: UInt64) -> Bool {
        guard let step = steps.popFirst() else { return false }
        carryOut(step, at: wallClock)
        return true
    }

    /// Returns what readers see after the last step.
    mutating func finish(_ publication: Publication) throws(StoreFailure) -> PublishedBody {
        let object = publication.object
        guard let file = staged.removeValue(forKey: publication.upload),
            node(at: object) == file.node
        else { throw StoreFailure(.conflict, "a file is on the way to “\(object.text)”") }
        return PublishedBody(
            version: disk[file.node].attributes.version, content: disk[file.node].body.ranges,
            replaced: publication.replaced)
    }

    mutating func truncate(_ upload: UploadID, to offset: ByteCount) {
        guard hasPower(), let node = staged[upload]?.node else { return }
        staged[upload]?.provisionalFrom = nil
        disk[node].truncate(to: offset)
        let mark = disk[node].mark
        disk[node].mark = min(mark, offset)
    }

    mutating func discard(_ upload: UploadID) {
        let isKept = staged[upload]?.isKept ?? true
        for step in order.discard(upload, isKept: isKept) { carryOut(step) }
        staged[upload] = nil
    }

    /// Ensures that no later server uses this number again.
    mutating func spend(_ number: UInt64, of counter: CounterName) {
        let numbers = counter == .versions ? versions : uploads
        guard let ceiling = numbers.reserve(number) else { return }
        for step in order.spend(ceiling, of: counter) { carryOut(step) }
        if counter == .versions {
            versions.reserved(ceiling)
        } else {
            uploads.reserved(ceiling)
        }
    }

    /// Finds or makes the staging area; returns `nil` without power.
    private mutating func stagedFile(of upload: UploadID) -> StagedFile? {
        if let latest, latest.upload == upload { return latest.file }
        if staged[upload] == nil { carryOut(.make(.staged(upload))) }
        guard let file = staged[upload] else { return nil }
        latest = (upload, file)
        return file
    }

    // MARK: Steps

    private mutating func carryOut(_ step: DiskStep, at wallClock: UInt64 = 0) {
        guard hasPower() else { return }
        switch step {
        case .make(let file):
            guard let place = place(of: file) else { return }
            let node = disk.make(place)
            if case .staged(let upload) = file { staged[upload] = StagedFile(node: node) }
        case .write(let file, let text):
            guard let place = place(of: file) else { return }
            let node = disk.node(at: place) ?? disk.make(place)
            disk[node].write(text)
        case .mark(let upload, let total):
            if let node = staged[upload]?.node { disk[node].mark = total }
        case .stamp(let upload, let object): stamp(upload, for: object, at: wallClock)
        case .makeFolder(let path):
            guard let place = place(of: path), disk.node(at: place) == nil else { return }
            makeFolder(place, at: wallClock)
        case .rename(let file, let target):
            guard let place = place(of: file), let target = self.place(of: target) else { return }
            disk.rename(place, to: target)
        case .remove(let file): if let place = place(of: file) { disk.remove(place) }
        case .synchronise(let file):
            if case .staged(let upload) = file, let node = staged[upload]?.node {
                disk.synchronise(node)
            } else if let node = place(of: file).flatMap({ disk.node(at: $0) }) {
                disk.synchronise(node)
            }
        case .synchroniseWorkshop: disk.synchroniseNames(in: workshop)
        case .synchroniseFolder(let path):
            if let folder = node(at: path) { disk.synchroniseNames(in: folder) }
        case .settleFolder(let path):
            guard !settled.holds(path), let folder = node(at: path.parent) else { return }
            disk.synchroniseNames(in: folder)
            settled.settle(path, since: settled.age)
        }
    }

    private mutating func stamp(
        _ upload: UploadID, for object: ObjectPath, at wallClock: UInt64
    ) {
        guard let node = staged[upload]?.node else { return }
        let old = self.node(at: object)
        disk[node].attributes.properties = old.map { disk[$0].attributes.properties } ?? []
        disk[node].attributes.version = newVersion()
        disk[node].attributes.modified = wallClock
    }

    private func place(of file: DiskFile) -> SymbolicDisk.Place? {
        if case .object(let path) = file { return place(of: path) }
        return SymbolicDisk.Place(folder: workshop, name: file.workshopName)
    }

    // MARK: A loss of power

    /// Uses power for one step; returns false if there is none.
    private mutating func hasPower() -> Bool {
        guard let left = stepsWithPower else { return true }
        stepsWithPower = left - min(left, 1)
        return left > 0
    }

    /// Leaves each change that is not durable to chance.
    mutating func losePower(random: inout RandomStream) {
        disk.losePower(random: &random)
        stepsWithPower = nil
        staged = [:]
        settled = SettledFolders()
        versions = SpentNumbers(spent: spent(.versions))
        uploads = SpentNumbers(spent: spent(.uploads))
    }

    private func spent(_ counter: CounterName) -> UInt64 {
        place(of: .counter(counter)).flatMap { disk.node(at: $0) }
            .flatMap { UInt64(disk[$0].text) } ?? 0
    }

    /// Restores the state that an earlier server left: resumes its uploads, unless staging areas
    /// were lost, and removes leftovers.
    mutating func restore(keepsStaging: Bool = true) -> ServerInput {
        // Forgets the earlier process's memory. Numbers of uploads that were not kept are used
        // again.
        staged = [:]
        var left: [RestoredUpload] = []
        let names = disk.members(of: workshop)
        let places = names.map { SymbolicDisk.Place(folder: workshop, name: $0) }
        for place in places where place.name.hasSuffix(".upload") {
            guard let node = disk.node(at: place) else { continue }
            if let record = UploadRecord(line: disk[node].text) {
                left.append(restored(record))
            } else {
                disk.remove(place)
            }
        }
        let counters = CounterName.allCases.map(\.rawValue)
        let known = Set(left.map { "\($0.record.id.number)" } + counters)
        for place in places where !place.name.hasSuffix(".upload") && !known.contains(place.name) {
            disk.remove(place)
        }
        if !keepsStaging {
            for upload in left where !upload.isPublished { discard(upload.record.id) }
            left.removeAll { !$0.isPublished }
        }
        left.sort { $0.record.id.number < $1.record.id.number }
        return .restored(left, lastUpload: uploads.ceiling)
    }

    private mutating func restored(_ record: UploadRecord) -> RestoredUpload {
        guard let place = place(of: .staged(record.id)), let node = disk.node(at: place) else {
            return RestoredUpload(
                record: record, staged: record.length ?? .zero, isPublished: true)
        }
        let mark = min(disk[node].mark, disk[node].body.total)
        disk[node].truncate(to: mark)
        disk.synchronise(node)
        staged[record.id] = StagedFile(node: node, isKept: true)
        return RestoredUpload(record: record, staged: mark, isPublished: false)
    }
}
