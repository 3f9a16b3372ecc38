import Content
import Quantities
import RunLog

/// The fate of each session: its row of figures, its lane, and the curve of its offset.
struct SessionBook: Sendable {
    /// The number of sessions with a curve of their own.
    static let curveLimit = 40
    /// The largest number of sessions with a lane each; more of them share one.
    static let laneLimit = 12

    private struct Entry {
        var figures: SessionFigures
        var lane = LaneBook()
        var curve = CurveBook()
        private(set) var done: [FileDone] = []
        /// The bytes of all files.
        private(set) var sum = ByteCount.zero
        /// The places of files by the last parts of their paths.
        private var named: [String: [Int]] = [:]
        var app: UInt16?

        init(_ figures: SessionFigures) { self.figures = figures }

        mutating func add(_ file: AcceptedTransfer) {
            for name in Set([file.source, file.destination].map { Self.lastPart(of: $0) }) {
                named[name, default: []].append(done.count)
            }
            done.append(FileDone(file: file))
        }

        /// The file that the app knows by this name. One that was added again starts over, so the
        /// latest counts.
        func file(called name: String) -> Int? {
            named[Self.lastPart(of: name)]?.last { done[$0].file.isCalled(name) }
        }

        private static func lastPart(of path: String) -> String {
            path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        }

        mutating func hasDone(_ count: ByteCount, file: Int) {
            sum = sum + count - done[file].done
            done[file].done = count
        }

        mutating func sizeIs(_ size: ByteCount, file: Int) {
            done[file].size = size
            figures.payload = done.reduce(.zero) { $0 + $1.size }
        }
    }

    private struct FileDone {
        var file: AcceptedTransfer
        var size = ByteCount.zero
        var done = ByteCount.zero
    }

    private var entries: [Entry] = []
    private var places: [ItemName: Int] = [:]
    private var owners: [TransferName: (entry: Int, file: Int)] = [:]
    /// The growth of all sessions together.
    private var total = CurveBook()
    private var totalDone = ByteCount.zero

    mutating func read(_ fact: QueueFact, at now: Instant) {
        switch fact {
        case .holds, .started, .stopped, .asked, .reordered, .refused, .denied, .storeWasSetAside,
            .demarcates, .saved, .requested, .answered:
            break
        case .pathAdded(let session, let path): add(path, to: place(of: session, at: now))
        case .callback(let session, .progress(let name, let done, let total, _)):
            let place = place(of: session, at: now)
            guard let file = entries[place].file(called: name) else { return }
            // The size of a download is known only from its progress callbacks.
            if entries[place].done[file].file.isDownload == true {
                entries[place].sizeIs(total, file: file)
            }
            setDone(done, file: file, of: place, at: now)
        case .callback(let session, .didDeactivate(let outcome)):
            let place = place(of: session, at: now)
            end(place, outcome, at: now)
            entries[place].lane.end(at: now)
        case .callback: break
        }
    }

    mutating func read(_ fact: OperationFact, at now: Instant) {
        guard case .callback(let operation, let callback) = fact else { return }
        let place = place(of: operation, at: now)
        switch callback {
        case .added, .agedOut, .flushed: break
        case .progress(let done, _): setDone(done, file: 0, of: place, at: now)
        case .completed: end(place, .completed, at: now)
        case .failed(let code, let message):
            end(place, .failed(code: code, message: message), at: now)
        }
    }

    mutating func read(_ fact: EntryFact, at now: Instant) {
        guard case .callback(let transfer, let callback) = fact else { return }
        let place = place(of: transfer, at: now)
        switch callback {
        case .ongoing, .suspended: break
        case .progress(let done, let total):
            guard !entries[place].done.isEmpty else { break }
            // The source of a download is elsewhere, so its size is known only from its progress.
            entries[place].sizeIs(total, file: 0)
            setDone(done, file: 0, of: place, at: now)
        case .completed: end(place, .completed, at: now)
        case .ended(810, _): end(place, .cancelled, at: now)
        case .ended(let code, let message):
            end(place, .failed(code: code, message: message), at: now)
        }
    }

    mutating func read(_ fact: BackgroundFact, at now: Instant) {
        guard case .callback(let task, let callback) = fact else { return }
        let place = place(of: task, at: now)
        switch callback {
        case .didSendBodyData(_, let done, _): setDone(done, file: 0, of: place, at: now)
        case .didWriteData(_, let done, let total):
            if !entries[place].done.isEmpty { entries[place].sizeIs(total, file: 0) }
            setDone(done, file: 0, of: place, at: now)
        case .didResume, .didReceiveData, .didFinishDownloading: break
        case .didComplete(.answered(let status), _):
            end(place, .completed, at: now)
            entries[place].figures.task?.status = status
        case .didComplete(.failed(let code, let message), _):
            end(place, .failed(code: code, message: message), at: now)
        }
    }

    /// Reads a fact of the engine of `app`; `nil` is the first app.
    mutating func read(_ fact: EngineFact, of app: UInt16?, at now: Instant) {
        switch fact {
        case .accepts(let session, _, let files):
            let place = place(of: session, at: now)
            guard entries[place].figures.files.isEmpty else { return }
            entries[place].figures.files = files
            if session.facade == .background {
                entries[place].figures.task?.isDownload = files.first?.isDownload == true
            }
            entries[place].app = app
            for (index, file) in files.enumerated() {
                entries[place].add(file)
                owners[file.transfer] = (place, index)
            }
            entries[place].lane.begin(.waiting, "waiting", at: now)
        case .moves(let session, _, let stage, _):
            let place = self.place(of: session, at: now)
            if stage == .running, entries[place].figures.task?.resumedAt == nil {
                entries[place].figures.task?.resumedAt = now
            }
            enter(stage, place: place, at: now)
        case .found(let session, let stage):
            enter(stage, place: place(of: session, at: now), at: now)
        case .delays(let task, let delay):
            let place = place(of: task, at: now)
            entries[place].figures.task?.delayedFor = delay
        case .attempt(let session, let number):
            let place = place(of: session, at: now)
            // Each attempt of a resumable transfer is a first attempt, because the app asks for
            // each.
            let count = session.facade == .bucket ? entries[place].figures.attempts + 1 : number
            entries[place].figures.attempts = max(entries[place].figures.attempts, count)
        case .inspected(let transfer, let size, _):
            change(transfer) { entry, file in
                // The engine inspects only the part of a download that the phone has.
                guard entry.done[file].file.isDownload != true else { return }
                entry.sizeIs(size, file: file)
            }
        case .resumes(let transfer, _, let offset):
            change(transfer) { entry, _ in entry.figures.resumes += 1 }
            reset(transfer, to: offset, at: now)
        case .startsOver(let transfer, _):
            change(transfer) { entry, _ in entry.figures.startsOver += 1 }
            reset(transfer, to: .zero, at: now)
        case .isPersistent(let session):
            let place = place(of: session, at: now)
            if entries[place].figures.paths == nil { entries[place].figures.paths = PathFigures() }
        case .completes(let transfer):
            change(transfer) { entry, _ in entry.figures.paths?.arrived += 1 }
        case .givesUp(let transfer, _):
            change(transfer) { entry, _ in entry.figures.paths?.givenUp += 1 }
        case .keepsTarget(let transfer, _):
            change(transfer) { entry, file in
                entry.figures.filesSkipped = (entry.figures.filesSkipped ?? 0) + 1
                // A skipped file is no payload.
                entry.sizeIs(.zero, file: file)
            }
        case .hasMoved(let task, let done, _):
            setDone(done, file: 0, of: place(of: task, at: now), at: now)
        case .isLimited, .goesBy, .isUnproven, .asksForOther, .sends, .fails, .waitsForNetwork,
            .token, .credential, .waitsForCredential, .fallsBack:
            break
        }
    }

    mutating func read(_ fact: FileFact) {
        switch fact {
        case .downloaded(let transfer, _, let content), .moved(let transfer, _, let content):
            let size = content.reduce(ByteCount.zero) { $0 + $1.length }
            change(transfer) { entry, file in entry.sizeIs(size, file: file) }
        case .stands, .keepsSamples, .touched, .removed, .lost, .kept, .parts: break
        }
    }

    /// Interrupts the open sessions of an app that died.
    mutating func read(_ fact: DeviceFact, of app: UInt16?, at now: Instant) {
        switch fact {
        case .appKilled, .appCrashed: break
        default: return
        }
        for place in entries.indices
        where entries[place].lane.open != nil && entries[place].app == app
            && entries[place].figures.session.facade != .background
        {
            entries[place].lane.begin(.interrupted, "interrupted", at: now)
        }
    }

    private mutating func end(_ place: Int, _ outcome: SessionResult, at now: Instant) {
        entries[place].figures.outcome = outcome
        entries[place].figures.endedAt = now
    }

    /// Adds a path of a persistent session, which a report shows as one of its files.
    private mutating func add(_ path: AcceptedTransfer, to place: Int) {
        entries[place].figures.files.append(path)
        entries[place].figures.paths?.added += 1
        entries[place].add(path)
        owners[path.transfer] = (place, entries[place].done.count - 1)
    }

    private mutating func enter(_ stage: ItemStage, place: Int, at now: Instant) {
        switch stage {
        case .waiting: entries[place].lane.begin(.waiting, "waiting", at: now)
        case .running:
            if entries[place].figures.firstRunningAt == nil {
                entries[place].figures.firstRunningAt = now
                if entries[place].curve.isEmpty { entries[place].curve.add(.zero, at: now) }
            }
            entries[place].lane.begin(.running, "running", at: now)
        case .retrying: entries[place].lane.begin(.retrying, "waiting to retry", at: now)
        case .suspended: entries[place].lane.begin(.waiting, "suspended", at: now)
        case .paused: entries[place].lane.begin(.waiting, "paused", at: now)
        case .preempted, .preemptedPaused:
            entries[place].lane.begin(.waiting, "preempted", at: now)
        case .cancelled, .completed, .failed: entries[place].lane.end(at: now)
        }
    }

    private mutating func place(of session: ItemName, at now: Instant) -> Int {
        if let place = places[session] { return place }
        places[session] = entries.count
        var figures = SessionFigures(session: session, acceptedAt: now)
        if session.facade == .background { figures.task = TaskFigures() }
        entries.append(Entry(figures))
        return entries.count - 1
    }

    private mutating func change(
        _ transfer: TransferName, _ edit: (inout Entry, _ file: Int) -> Void
    ) {
        guard let (place, file) = owners[transfer] else { return }
        edit(&entries[place], file)
    }

    private mutating func reset(_ transfer: TransferName, to offset: ByteCount, at now: Instant) {
        guard let (place, file) = owners[transfer] else { return }
        setDone(offset, file: file, of: place, at: now)
    }

    /// Sets the progress of a file, if the item has this file.
    private mutating func setDone(
        _ done: ByteCount, file: Int, of place: Int, at now: Instant
    ) {
        guard entries[place].done.indices.contains(file) else { return }
        totalDone = totalDone + done - entries[place].done[file].done
        total.add(totalDone, at: now)
        entries[place].hasDone(done, file: file)
        guard place < Self.curveLimit else { return }
        entries[place].curve.add(entries[place].sum, at: now)
    }
}

extension SessionBook {
    func figures(until end: Instant) -> [SessionFigures] {
        entries.map { entry in
            var row = entry.figures
            row.times = entry.lane.times(until: end)
            row.waited = row.firstRunningAt.map { $0 - row.acceptedAt }
            if row.outcome == .completed, let began = row.firstRunningAt, let ended = row.endedAt {
                row.completion = ended - began
                if !row.isRefused { row.goodput = Bitrate(row.payload, in: ended - began) }
            }
            return row
        }
    }

    func lanes(until end: Instant) -> [Timeline.Lane] {
        guard entries.count <= Self.laneLimit else { return [packedLane(until: end)] }
        return entries.map { entry in
            let words = entry.figures.files.map { "\($0.source) to \($0.destination)" }
            let more = words.count > 1 ? " and \(words.count - 1) more" : ""
            let files = words.first.map { ": \($0)\(more)" } ?? ""
            return entry.lane.lane(
                .session, title: "\(entry.figures.session.title)\(files)", until: end)
        }
    }

    /// Returns one lane for all sessions, each from its first activation to its end.
    private func packedLane(until end: Instant) -> Timeline.Lane {
        var lane = LaneBook()
        let begun = entries.filter { $0.figures.firstRunningAt != nil }
            .sorted {
                ($0.figures.firstRunningAt ?? .start) < ($1.figures.firstRunningAt ?? .start)
            }
        for entry in begun {
            let state: Timeline.State =
                entry.figures.endedAt != nil && entry.figures.outcome != .completed
                ? .interrupted : .running
            lane.add(
                Timeline.Span(
                    from: entry.figures.firstRunningAt ?? .start,
                    to: entry.figures.endedAt ?? end, state: state,
                    label: "\(entry.figures.session)"))
        }
        return lane.lane(
            .session, title: "\(entries.count) sessions and tasks, each from its start to its end",
            until: end)
    }

    func progress() -> [RunSeries.Progress] {
        entries.prefix(Self.curveLimit).compactMap { entry in
            let points = entry.curve.points
            guard points.count > 1 else { return nil }
            return RunSeries.Progress(session: entry.figures.session, points: points)
        }
    }

    /// Returns the progress of all sessions together, if there are several.
    func totalProgress() -> [RunSeries.Progress.Point]? {
        entries.count > 1 && total.points.count > 1 ? total.points : nil
    }
}

extension ItemName {
    /// The name as a heading.
    fileprivate var title: String { description.prefix(1).uppercased() + description.dropFirst() }
}

extension AcceptedTransfer {
    /// Whether the app knows the file by this name; the queue knows its paths.
    fileprivate func isCalled(_ name: String) -> Bool {
        [source, destination].contains { $0 == name || $0.hasSuffix("/" + name) }
    }
}
