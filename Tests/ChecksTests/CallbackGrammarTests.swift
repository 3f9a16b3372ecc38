import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct CallbackGrammarTests {
    private static let fresh = CallbackGrammar.running(CallbackGrammar.Attempt())
    private static let open = CallbackGrammar.running(CallbackGrammar.Attempt(open: ["a"]))

    private static let states: [CallbackGrammar] = [
        .idle, .activating, .active, .starting, fresh, open, .stopping, .deactivating,
    ]
    private static let callbacks: [SessionCallback] = [
        .willActivate, .didActivate, .willStartRunning, .didStartRunning, .didStartFile(name: "a"),
        .progress(name: "a", done: ByteCount(4), total: ByteCount(9)), .didStopFile(name: "a"),
        .willStopRunning, .didStopRunning, .willDeactivate, .didDeactivate(.completed),
    ]

    /// Every arrow of the grammar; all other cells of state × callback are refused.
    private static let arrows: [(CallbackGrammar, SessionCallback, CallbackGrammar)] = [
        (.idle, callbacks[0], .activating),
        (.activating, callbacks[1], .active),
        (.active, callbacks[2], .starting),
        (.active, callbacks[9], .deactivating),
        (.starting, callbacks[3], fresh),
        (.starting, callbacks[8], .active),
        (fresh, callbacks[4], open),
        (fresh, callbacks[7], .stopping),
        (open, callbacks[5], open),
        (open, callbacks[6], fresh),
        (.stopping, callbacks[8], .active),
        (.deactivating, callbacks[10], .idle),
    ]

    @Test func `every cell of state and callback is as drawn`() {
        for state in Self.states {
            for callback in Self.callbacks {
                let arrow = Self.arrows.first { $0.0 == state && $0.1 == callback }
                #expect((try? state.after(callback)) == arrow?.2, "\(state), \(callback)")
            }
        }
    }
}
