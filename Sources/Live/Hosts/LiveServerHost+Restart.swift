import DocrootServer
import Quantities
import RunLog

/// The end of a server's process and the beginning of the next, as its clients and its disk see it.
extension LiveServerHost {
    /// Nothing of the process is left but what lies on the disk; who comes now is refused.
    mutating func goDown(
        until end: Instant, keepsStaging: Bool, _ loop: borrowing EventLoop
    ) {
        for number in connections.keys.sorted() {
            guard let connection = connections[number] else { continue }
            connection.stream.resetWhenClosed()
            forget(connection, isWhole: false, loop)
        }
        closing = []
        answers = []
        published = []
        opensAgain = nil
        stopListening(on: loop)
        listener = nil
        outage = (end, keepsStaging)
    }

    mutating func comeBack(
        at now: Instant, _ loop: borrowing EventLoop, _ clock: RunClock,
        into log: inout RunLogSink
    ) {
        guard let outage else { return }
        do throws(SystemError) {
            let left = try findAgain(keepsStaging: outage.keepsStaging)
            listener = try TCPListener(host: address.host, port: address.port)
            try listen(on: loop)
            self.outage = nil
            handle(left, loop, clock, into: &log)
        } catch {
            // Somebody else may have the port, or all of the memory, for a while.
            self.outage = (now + Self.pause, outage.keepsStaging)
        }
    }

    private mutating func findAgain(keepsStaging: Bool) throws(SystemError) -> ServerInput {
        area = try StagingArea(at: place.workshop, isDurable: place.isDurable)
        store = try Self.store(at: place)
        let found = try area.restore()
        guard !keepsStaging, case .restored(let uploads, let last) = found else { return found }
        for upload in uploads where !upload.isPublished { area.discard(upload.record.id) }
        return .restored(uploads.filter(\.isPublished), lastUpload: last)
    }

    static func store(at place: Place) throws(SystemError) -> ObjectStore {
        let counter = try VersionCounter(at: place.workshop + "/versions")
        return try ObjectStore(
            docroot: place.docroot, workshop: place.workshop, isDurable: place.isDurable,
            attributes: ObjectAttributes(counter))
    }
}
