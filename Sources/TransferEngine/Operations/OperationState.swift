/// The states of an upload operation, by the list in which it is (U1), and what moves it.
///
///     ongoing ──▶ completed ──▶ gone              at least 10 s later
///        │ ▲
///        ▼ │ retry
///      failed ──▶ unlisted                        at least 60 s later; it can still be retried
///
/// Cancelling an operation is a way to fail (U5).
public enum OperationState: String, EffectTable, Encodable {
    case ongoing, completed, failed
    /// Failed, and no longer in a list.
    case unlisted

    /// Events that can reach an operation.
    public enum Event: Hashable, Sendable, Encodable, CaseIterable {
        case cancel, retry, done, error
        /// The operation's time in its list is up, or the app has flushed the lists.
        case aged, flush
    }

    package enum Effect: Hashable, Sendable {
        case goes(to: OperationState)
        case nothing
        /// A typed error; nothing changes.
        case refused
        /// The operation is forgotten.
        case gone
    }

    package func effect(of event: Event) -> Effect? {
        switch self {
        case .ongoing:
            switch event {
            case .cancel, .error: .goes(to: .failed)
            case .done: .goes(to: .completed)
            case .retry: .refused
            case .flush: .nothing
            case .aged: nil
            }
        case .completed:
            switch event {
            case .cancel: .nothing
            case .retry: .refused
            case .aged, .flush: .gone
            case .done, .error: nil
            }
        case .failed:
            switch event {
            case .cancel: .nothing
            case .retry: .goes(to: .ongoing)
            case .aged, .flush: .goes(to: .unlisted)
            case .done, .error: nil
            }
        case .unlisted:
            switch event {
            case .cancel, .flush: .nothing
            case .retry: .goes(to: .ongoing)
            case .done, .error, .aged: nil
            }
        }
    }
}
