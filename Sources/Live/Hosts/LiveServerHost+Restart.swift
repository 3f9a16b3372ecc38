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
        opensAgain = nil
        stopListening(on: loop)
        listener = nil
        outage = (end, keepsStaging)
    }

    /// When the next process begins; not before the disk has finished with the last one, whose
    /// orders it has had.
    var returns: Instant? {
        guard let outage, docroot.isQuiet else { return nil }
        return outage.until
    }

    mutating func comeBack(
        at now: Instant, _ loop: borrowing EventLoop, _ clock: RunClock,
        into log: inout RunLogSink
    ) {
        guard let outage else { return }
        do throws(SystemError) {
            loop.forget(docroot.descriptor)
            docroot = try LiveDocroot(at: place, versions: versions)
            let left = try docroot.restore(keepsStaging: outage.keepsStaging)
            listener = try TCPListener(host: address.host, port: address.port)
            try loop.watch(docroot.descriptor, as: Self.disk, for: .readable)
            try listen(on: loop)
            self.outage = nil
            handle(left, loop, clock, into: &log)
        } catch {
            // Somebody else may have the port, or all of the memory, for a while.
            self.outage = (now + Self.pause, outage.keepsStaging)
        }
    }
}
