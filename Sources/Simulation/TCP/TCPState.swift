/// Where a TCP endpoint stands in the life of its connection (RFC 9293 §3.3.2).
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
/// Not drawn: `reset` leads from everywhere to closed. Two ends never open towards each other here,
/// and timeWait has no timer: the stack replaces the endpoint when another connection wants its
/// place, a second at least after both ends were over.
enum TCPState: Hashable, Sendable, CaseIterable {
    case closed, listen, synSent, synReceived, established
    case finWait1, finWait2, closing, timeWait, closeWait, lastAck

    enum Event: Hashable, Sendable, CaseIterable {
        case passiveOpen, activeOpen
        case synArrived, synAckArrived, synAcknowledged
        case finSent, finArrived, finAcknowledged
        case reset
    }

    /// The state after an event, or `nil` where the event cannot arise.
    func after(_ event: Event) -> TCPState? {
        switch event {
        case .passiveOpen: self == .closed ? .listen : nil
        case .activeOpen: self == .closed ? .synSent : nil
        case .synArrived: self == .listen ? .synReceived : nil
        case .synAckArrived: self == .synSent ? .established : nil
        case .synAcknowledged: self == .synReceived ? .established : nil
        case .finSent: afterSendingFin
        case .finArrived: afterReceivingFin
        case .finAcknowledged: afterAcknowledgementOfFin
        case .reset: .closed
        }
    }

    /// Whether both ends know each other's first sequence number.
    var isSynchronized: Bool {
        switch self {
        case .closed, .listen, .synSent, .synReceived: false
        case .established, .finWait1, .finWait2, .closing, .timeWait, .closeWait, .lastAck: true
        }
    }

    private var afterSendingFin: TCPState? {
        switch self {
        case .established: .finWait1
        case .closeWait: .lastAck
        case .closed, .listen, .synSent, .synReceived, .finWait1, .finWait2, .closing, .timeWait,
            .lastAck:
            nil
        }
    }

    private var afterReceivingFin: TCPState? {
        switch self {
        case .established: .closeWait
        case .finWait1: .closing
        case .finWait2: .timeWait
        case .closed, .listen, .synSent, .synReceived, .closing, .timeWait, .closeWait, .lastAck:
            nil
        }
    }

    private var afterAcknowledgementOfFin: TCPState? {
        switch self {
        case .finWait1: .finWait2
        case .closing: .timeWait
        case .lastAck: .closed
        case .closed, .listen, .synSent, .synReceived, .established, .finWait2, .timeWait,
            .closeWait:
            nil
        }
    }
}
