import Device
import Quantities
import RunLog

/// A captive portal of a live run: it sends every client to a page.
struct LivePortal: ~Copyable {
    private let listener: TCPListener
    private var visitors: [UInt32: Visitor] = [:]
    private var lastVisitor: UInt32 = 0

    private final class Visitor {
        let stream: TCPStream
        let interface: UInt16
        var portal = CaptivePortal()

        init(_ stream: consuming TCPStream, on interface: UInt16) {
            self.interface = interface
            self.stream = stream
        }
    }

    init(on loop: borrowing EventLoop) throws(SystemError) {
        let listener = try TCPListener()
        try loop.watch(listener.descriptor.number, as: .init(kind: .portal), for: .readable)
        self.listener = listener
    }

    var port: UInt16 { listener.port }

    mutating func serve(
        _ ready: EventLoop.Ready, on loop: borrowing EventLoop, at now: Instant,
        into log: inout RunLogSink
    ) throws(SystemError) {
        guard ready.source.kind == .portalVisitor else { return try takeVisitors(on: loop) }
        guard let visitor = visitors[ready.source.number] else { return }
        switch visitor.stream.receive() {
        case .nothing: break
        case .bytes(let bytes):
            guard let request = visitor.portal.hear(bytes) else { return }
            log.record(
                .network(.portalAnswered(interface: visitor.interface, request: request)), at: now)
            // A short page always fits into an empty buffer.
            _ = Array(CaptivePortal.answer.utf8).withUnsafeBytes { visitor.stream.send($0) }
            visitor.stream.endSending()
        case .end, .broken:
            loop.forget(visitor.stream.descriptor.number)
            visitors[ready.source.number] = nil
        }
    }

    private mutating func takeVisitors(on loop: borrowing EventLoop) throws(SystemError) {
        while let stream = try listener.accept() {
            lastVisitor += 1
            let interface = LoopbackNetwork.interface(of: stream.peer?.address ?? 0)
            let visitor = Visitor(stream, on: interface)
            visitors[lastVisitor] = visitor
            try loop.watch(
                visitor.stream.descriptor.number,
                as: .init(kind: .portalVisitor, number: lastVisitor), for: .readable)
        }
    }
}
