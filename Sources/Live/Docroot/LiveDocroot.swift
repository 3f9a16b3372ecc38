import Content
import DocrootServer
import Glibc
import Quantities
import TransferHost

/// The server's disk: uploads, objects, and threads that wait for them.
struct LiveDocroot: ~Copyable {
    private var area: StagingArea
    private var store: ObjectStore
    private let changes: ObjectChanges
    private let attributes: ObjectAttributes
    private let workers: DiskWorkers
    private let versions: KnownVersions
    private var answers: [ServerInput] = []
    private var published: [PublishedObject] = []
    /// The number of requests that threads work on.
    private var asked = 0

    /// The folders of a server: one for its objects, and one that readers never see. Both are on
    /// one file system, because a rename publishes an object.
    struct Place {
        var docroot: String
        var workshop: String
        /// Whether acknowledged data survives a loss of power.
        var isDurable = true
    }

    init(at place: Place, versions: KnownVersions) throws(SystemError) {
        let workshop = try Workshop(at: place.workshop, place.isDurable ? .durable : .fast)
        let root = OpenFile(try Descriptor(opening: place.docroot, O_RDONLY | O_DIRECTORY))
        let attributes = ObjectAttributes(try VersionCounter(.versions, in: workshop))
        let workers = try DiskWorkers()
        let folders = KnownFolders(under: root)
        area = try StagingArea(
            in: workshop, folders, attributes: attributes, workers: workers)
        store = ObjectStore(folders, attributes: attributes)
        changes = ObjectChanges(folders, workshop, attributes)
        self.attributes = attributes
        self.workers = workers
        self.versions = versions
    }

    /// Readable once a thread has a result.
    var descriptor: Int32 { workers.descriptor }

    /// Whether work waits for nothing but its turn.
    var isBusy: Bool { !answers.isEmpty || !published.isEmpty || area.isBusy }

    /// Whether nothing is on its way to the disk.
    var isQuiet: Bool { !isBusy && area.isQuiet && asked == 0 }

    func body(_ id: BodyID) -> OpenFile? { store.body(id) }

    /// Takes the answers for the server, in order.
    mutating func takeAnswers() -> [ServerInput] {
        defer { answers = [] }
        return answers
    }

    /// Returns what an earlier server has left, with its staging areas unless they were lost.
    mutating func restore(keepsStaging: Bool = true) throws(SystemError) -> ServerInput {
        let found = try area.restore()
        guard !keepsStaging, case .restored(let uploads, let last) = found else { return found }
        for upload in uploads where !upload.isPublished { area.discard(upload.record.id) }
        return .restored(uploads.filter(\.isPublished), lastUpload: last)
    }

    mutating func carryOut(_ output: ServerOutput) {
        switch output {
        case .stage(let upload, let offset, let segments):
            attempt(upload) { area throws(SystemError) in
                try area.append(segments, to: upload, at: offset)
            }
        case .stageProvisionally(let upload, let offset, let segments):
            attempt(upload) { area throws(SystemError) in
                try area.appendProvisionally(segments, to: upload, at: offset)
            }
        case .count(let upload): area.count(upload)
        case .truncate(let upload, let offset):
            attempt(upload) { area throws(SystemError) in try area.truncate(upload, to: offset) }
        case .keep(let record): area.keep(record)
        case .publish(let upload, let object): area.publish(upload, as: object)
        case .discard(let upload): area.discard(upload)
        case .ask(let ticket, let request): ask(ticket, request)
        case .closeBody(let body): store.close(body)
        case .send, .sendBody, .admit, .hold, .goOn, .close, .abort, .restart, .failPower,
            .losePower, .note:
            break
        }
    }

    /// Takes the results of threads.
    mutating func hear() {
        for done in workers.takeDone() {
            switch done {
            case .step(let upload, let error): area.done(upload, error)
            case .answer(let ticket, let answer):
                asked -= 1
                answers.append(.answered(ticket, answer))
            case .versions(let ticket, let request):
                asked -= 1
                ask(ticket, request)
            }
        }
    }

    /// Ends a turn: received data is brought to the disk.
    mutating func endTurn() {
        area.confirm()
        for result in area.takeResults() {
            switch result {
            case .said(let input): answers.append(input)
            case .shown(let upload, let body, let version, let replaced):
                published.append(
                    PublishedObject(
                        upload: upload, version: version, replaced: replaced, body: body,
                        reading: ContentReading(recognising: versions)))
            }
        }
        readBack()
    }

    private mutating func ask(_ ticket: StoreTicket, _ request: StoreRequest) {
        do throws(SystemError) {
            if let answer = try store.answer(request) {
                return answers.append(.answered(ticket, answer))
            }
            let changes = changes
            workers.submit { .answer(ticket, changes.answer(request)) }
        } catch {
            let attributes = attributes
            workers.submit {
                do throws(SystemError) {
                    try attributes.reserveVersions()
                    return .versions(ticket, request)
                } catch {
                    return .answer(ticket, .failed(StoreFailure(error)))
                }
            }
        }
        asked += 1
    }

    private mutating func attempt(
        _ upload: UploadID, _ work: (inout StagingArea) throws(SystemError) -> Void
    ) {
        do throws(SystemError) { try work(&area) } catch {
            answers.append(.storeFailed(upload, StoreFailure(error)))
        }
    }

    private mutating func readBack() {
        guard let upload = published.first?.upload else { return }
        do throws(SystemError) {
            guard let body = try published[0].advance() else { return }
            answers.append(.published(upload, body))
        } catch {
            answers.append(.storeFailed(upload, StoreFailure(error)))
        }
        published.removeFirst()
    }
}
