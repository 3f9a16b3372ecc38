import Device
import Quantities
import RunLog
import TransferHost

/// A captive portal of a live run: it sends every client to a page, or answers with it.
struct LivePortal: ~Copyable {
    private let listener: TCPListener
    private var visitors: [UInt32: Visitor] = [:]
    private var lastVisitor: UInt32 = 0

    private final class Visitor {
        let stream: TCPStream
        let interface: UInt16
        var portal: CaptivePortal

        init(_ stream: consuming TCPStream, on interface: UInt16, answersPage: Bool) {
            self.interface = interface
            portal = CaptivePortal(answersPage: answersPage)
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
        _ ready: EventLoop.Ready, withPageOn pages: [UInt16], on loop: borrowing EventLoop,
        at now: Instant, into log: inout RunLogSink
    ) throws(SystemError) {
        guard ready.source.kind == .portalVisitor else {
            return try takeVisitors(withPageOn: pages, on: loop)
        }
        guard let visitor = visitors[ready.source.number] else { return }
        switch visitor.stream.receive() {
        case .nothing: break
        case .bytes(let bytes):
            guard let request = visitor.portal.hear(bytes) else { return }
            log.record(
                .network(.portalAnswered(interface: visitor.interface, request: request)), at: now)
            // A short page always fits into an empty buffer.
            _ = visitor.portal.answer.withUnsafeBytes { visitor.stream.send($0) }
            visitor.stream.endSending()
        case .end, .broken:
            loop.forget(visitor.stream.descriptor.number)
            visitors[ready.source.number] = nil
        }
    }

    private mutating func takeVisitors(
        withPageOn pages: [UInt16], on loop: borrowing EventLoop
    ) throws(SystemError) {
        while let stream = try listener.accept() {
            lastVisitor += 1
            let interface = LoopbackNetwork.interface(of: stream.peer?.address ?? 0)
            let visitor = Visitor(
                stream, on: interface, answersPage: pages.contains(interface))
            visitors[lastVisitor] = visitor
            try loop.watch(
                visitor.stream.descriptor.number,
                as: .init(kind: .portalVisitor, number: lastVisitor), for: .readable)
        }
    }
}
