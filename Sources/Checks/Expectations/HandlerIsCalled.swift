import Quantities
import RunLog

/// `the handler is called within T`: an app that gets a completion handler for the events of its
/// background sessions calls the handler in time, each time (B4).
struct HandlerIsCalled: Expectation {
    let limit: TimeSpan

    var watch = Watch()
    /// Handlers that were not called yet, in the order in which the apps got them.
    var handlers: [Handler] = []
    var isCalled = false

    struct Handler: Sendable {
        var app: UInt16?
        var session: String
        var given: Instant
    }

    var statement: String {
        "an app that gets a completion handler for background events calls it within \(limit)"
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .background(.handleEvents(let session)):
            handlers.append(Handler(app: event.app, session: session, given: event.at))
        case .background(.handlerCalled(let session, _)):
            guard
                let place = handlers.firstIndex(where: {
                    $0.app == event.app && $0.session == session
                })
            else { return }
            isCalled = true
            let time = event.at - handlers.remove(at: place).given
            guard time > limit else { return }
            watch.fall(
                expected: statement, seen: "the handler of “\(session)” is called after \(time)")
        case .run(.ended): judgeEnd()
        default: break
        }
    }

    private mutating func judgeEnd() {
        if let handler = handlers.first {
            watch.fall(
                expected: statement,
                seen: "the handler of “\(handler.session)”, given at \(handler.given), is never "
                    + "called")
        } else if !isCalled {
            watch.fall(expected: statement, seen: "no app gets a handler")
        }
    }
}
