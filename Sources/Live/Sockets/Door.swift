import Quantities
import TransferHost

/// A door for incoming connections. When the system is out of resources, the door closes for a
/// while, and connections wait in the system's queue.
final class Door {
    private let listener: TCPListener
    private let source: EventLoop.Source
    /// When it opens again.
    private(set) var opensAgain: Instant?

    private static let pause = TimeSpan.milliseconds(100)

    init(
        _ listener: consuming TCPListener, as kind: EventLoop.Source.Kind,
        on loop: borrowing EventLoop
    ) throws(SystemError) {
        source = EventLoop.Source(kind: kind)
        try loop.watch(listener.descriptor.number, as: source, for: .readable)
        self.listener = listener
    }

    var port: UInt16 { listener.port }

    /// Takes the next connection that waits, if one does.
    func accept(
        on loop: borrowing EventLoop, by clock: MachineClock
    ) throws(SystemError) -> TCPStream? {
        do throws(SystemError) {
            return try listener.accept()
        } catch {
            guard error.isShortage else { throw error }
            close(on: loop)
            opensAgain = clock.now + Self.pause
            return nil
        }
    }

    /// Opens again if it is time.
    func endTurn(on loop: borrowing EventLoop, at now: Instant) {
        guard let due = opensAgain, due <= now else { return }
        let number = listener.descriptor.number
        let isOpen = (try? loop.watch(number, as: source, for: .readable)) != nil
        opensAgain = isOpen ? nil : now + Self.pause
    }

    /// Takes no more connections.
    func close(on loop: borrowing EventLoop) {
        opensAgain = nil
        loop.forget(listener.descriptor.number)
    }
}
