/// The states of a session of the queue, and what moves it (behaviour A, the state table).
///
///     waiting ──▶ running          its turn
///     running ──▶ completed        finished
///     running ──▶ retrying         retryable error, budget left
///     running ──▶ failed           other error, or budget spent
///     running ──▶ retrying         its network is gone, or not allowed any more
///     retrying ──▶ running         the pause is over, or there is a network
///     running, retrying ──▶ waiting (first in line)   kill and relaunch, expiry
package enum SessionState: String, Hashable, Sendable, CaseIterable {
    case waiting, running, retrying, completed, failed

    package enum Event: Hashable, Sendable, CaseIterable {
        case itsTurn, finished, retryableError, fatalError, networkLost, pauseOver, relaunch
        case expiry
    }

    /// The state after an event.
    ///
    /// Events that a state cannot see are our own mistake, not the caller's, and trap.
    package func after(_ event: Event) -> SessionState {
        switch (self, event) {
        case (.waiting, .itsTurn): .running
        case (.running, .finished): .completed
        case (.running, .retryableError): .retrying
        case (.running, .fatalError): .failed
        case (.running, .networkLost): .retrying
        case (.retrying, .pauseOver): .running

        case (.waiting, .relaunch), (.running, .relaunch), (.retrying, .relaunch): .waiting
        case (.completed, .relaunch), (.failed, .relaunch): self

        case (.waiting, .expiry), (.running, .expiry), (.retrying, .expiry): .waiting
        case (.completed, .expiry), (.failed, .expiry): self

        case (.waiting, .finished), (.waiting, .retryableError), (.waiting, .fatalError),
            (.waiting, .networkLost), (.retrying, .networkLost), (.completed, .networkLost),
            (.failed, .networkLost), (.waiting, .pauseOver), (.running, .itsTurn),
            (.running, .pauseOver),
            (.retrying, .itsTurn), (.retrying, .finished), (.retrying, .retryableError),
            (.retrying, .fatalError), (.completed, .itsTurn), (.completed, .finished),
            (.completed, .retryableError), (.completed, .fatalError), (.completed, .pauseOver),
            (.failed, .itsTurn), (.failed, .finished), (.failed, .retryableError),
            (.failed, .fatalError), (.failed, .pauseOver):
            preconditionFailure("\(event) cannot reach a session that is \(self)")
        }
    }
}
