/// State of a TCP endpoint (RFC 9293 §3.3.2).
///
///                  passiveOpen ┌────────┐ activeOpen
///               ┌──────────────│ closed │─────────────┐
///               ▼              └────────┘             ▼
///          ┌────────┐                            ┌─────────┐
///          │ listen │                            │ synSent │
///          └────────┘                            └─────────┘
///               │ synArrived                          │ synAckArrived
///               ▼                                     ▼
///        ┌─────────────┐     synAcknowledged   ┌─────────────┐
///        │ synReceived │──────────────────────▶│ established │
///        └─────────────┘                       └─────────────┘
///                                        finSent │         │ finArrived
///                                ┌───────────────┘         ▼
///                                ▼                   ┌───────────┐
///                finArrived ┌──────────┐             │ closeWait │
///              ┌────────────│ finWait1 │             └───────────┘
///              ▼            └──────────┘                   │ finSent
///         ┌─────────┐             │ finAcknowledged        ▼
///         │ closing │             ▼                   ┌─────────┐
///         └─────────┘       ┌──────────┐              │ lastAck │
///              │            │ finWait2 │              └─────────┘
///              │            └──────────┘                   │ finAcknowledged
///              │ finAcknowledged  │ finArrived             ▼
///              │            ┌──────────┐              ┌────────┐
///              └───────────▶│ timeWait │              │ closed │
///                           └──────────┘              └────────┘
///
/// Not drawn: `reset` leads from every state to closed. Two ends never open towards each other
/// here, and timeWait has no timer. Instead, the stack may replace the endpoint a second after both
/// ends were over.
enum TCPState: Hashable, Sendable, CaseIterable {
    case closed, listen, synSent, synReceived, established
    case finWait1, finWait2, closing, timeWait, closeWait, lastAck

    enum Event: Hashable, Sendable, CaseIterable {
        case passiveOpen, activeOpen
        case synArrived, synAckArrived, synAcknowledged
        case finSent, finArrived, finAcknowledged
        case reset
    }

    /// Returns the state after an event, or `nil` if the event cannot arise.
    func after(_ event: Event) -> TCPState? {
        switch (event, self) {
        case (.passiveOpen, .closed): .listen
        case (.activeOpen, .closed): .synSent
        case (.synArrived, .listen): .synReceived
        case (.synAckArrived, .synSent), (.synAcknowledged, .synReceived): .established
        case (.finSent, .established): .finWait1
        case (.finSent, .closeWait): .lastAck
        case (.finArrived, .established): .closeWait
        case (.finArrived, .finWait1): .closing
        case (.finArrived, .finWait2), (.finAcknowledged, .closing): .timeWait
        case (.finAcknowledged, .finWait1): .finWait2
        case (.finAcknowledged, .lastAck), (.reset, _): .closed
        case (.passiveOpen, _), (.activeOpen, _), (.synArrived, _), (.synAckArrived, _),
            (.synAcknowledged, _), (.finSent, _), (.finArrived, _), (.finAcknowledged, _):
            nil
        }
    }

    /// Whether both ends know each other's first sequence number.
    var isSynchronized: Bool {
        switch self {
        case .closed, .listen, .synSent, .synReceived: false
        case .established, .finWait1, .finWait2, .closing, .timeWait, .closeWait, .lastAck: true
        }
    }
}
