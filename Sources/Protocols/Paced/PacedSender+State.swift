extension PacedSender {
    package enum State: Hashable, Sendable, CaseIterable {
        case opening, sending, closing
        case complete, aborted, silent

        package var isOver: Bool {
            switch self {
            case .opening, .sending, .closing: false
            case .complete, .aborted, .silent: true
            }
        }
    }
}
