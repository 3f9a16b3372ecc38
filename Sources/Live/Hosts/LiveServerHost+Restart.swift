import DocrootServer
import Quantities
import RunLog
import TransferHost

/// A server's restart, as its clients and its disk see it.
extension LiveServerHost {
    /// Ends the server: only its disk is left, and new clients are refused.
    mutating func goDown(
        until end: Instant, keepsStaging: Bool, _ loop: borrowing EventLoop
    ) {
        for number in connections.keys.sorted() {
            guard let connection = connections[number] else { continue }
            connection.wire.resetWhenClosed()
            forget(connection, isWhole: false, loop)
        }
        closing = []
        answers = []
        door?.close(on: loop)
        door = nil
        paced?.close(on: loop)
        paced = nil
        outage = (end, keepsStaging)
    }

    /// When the server comes back: not before the disk has carried out all orders.
    var returns: Instant? {
        guard let outage, docroot.isQuiet else { return nil }
        return outage.until
    }

    mutating func comeBack(
        at now: Instant, _ loop: borrowing EventLoop, _ clock: MachineClock,
        into log: inout RunLogSink
    ) {
        guard let outage else { return }
        do throws(SystemError) {
            loop.forget(docroot.descriptor)
            docroot = try LiveDocroot(at: place, versions: versions)
            let left = try docroot.restore(keepsStaging: outage.keepsStaging)
            // A door that is open must not be in its own way at the next try.
            if let pacedPort, paced == nil {
                let port = try PacedPort(behind: pacedDoor, at: address.host, pacedPort)
                paced = try port.opened(on: loop)
            }
            let listener = try TCPListener(host: address.host, port: address.port)
            try loop.watch(docroot.descriptor, as: Self.disk, for: .readable)
            door = try Door(listener, as: .listener, on: loop)
            self.outage = nil
            handle(left, loop, clock, into: &log)
        } catch {
            // The port or the memory may be taken for a while.
            self.outage = (now + Self.pause, outage.keepsStaging)
        }
    }
}
