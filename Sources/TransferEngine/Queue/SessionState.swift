/// The states of a session of the queue, and what moves it (behaviour A, the state table).
///
///     waiting ──▶ running             its turn
///     running ⇄ retrying              an error with budget left, a lost network; and after it
///     running, retrying ──▶ paused    pause, and back by resume
///     running, retrying, paused ──▶ preempted     another is run; and back when that has ended
///     running ──▶ completed, failed
///     any that is not at its end ──▶ cancelled    cancel
///     any but waiting and running ──▶ waiting     run: then its turn is the next
///
/// A session that is interrupted by a kill, by the queue's stop or by the end of the time in the
/// background waits, first in line. A preempted one then waits behind its preemptor, or is paused
/// if it was.
public enum SessionState: String, EffectTable, Codable {
    case waiting, running, retrying, paused, preempted
    /// Preempted while paused; becomes paused again.
    case preemptedPaused
    case cancelled, failed, completed

    var isPreempted: Bool { self == .preempted || self == .preemptedPaused }

    /// Events that can reach a session.
    public enum Event: Hashable, Sendable, Encodable, CaseIterable {
        case itsTurn, run, runOther, cancel, stop, pause, resume, remove
        case finished, retryableError, fatalError, networkLost, pauseOver
        case queueStops, expiry, relaunch
    }

    package enum Effect: Hashable, Sendable {
        case goes(to: SessionState)
        case nothing
        /// A typed error; nothing changes.
        case refused
        /// The session is no longer in the queue.
        case gone
    }

    package func effect(of event: Event) -> Effect? {
        switch self {
        case .waiting: whileWaiting(event)
        case .running: whileRunning(event)
        case .retrying: whileRetrying(event)
        case .paused: whilePaused(event)
        case .preempted, .preemptedPaused: whilePreempted(event)
        case .cancelled, .failed, .completed: atTheEnd(event)
        }
    }

    private func whileWaiting(_ event: Event) -> Effect? {
        switch event {
        case .itsTurn: .goes(to: .running)
        // It is at the head of the line from now on.
        case .run: .nothing
        case .cancel: .goes(to: .cancelled)
        case .pause, .resume: .refused
        case .remove: .gone
        case .runOther, .stop, .queueStops, .expiry, .relaunch: .nothing
        case .finished, .retryableError, .fatalError, .networkLost, .pauseOver: nil
        }
    }

    private func whileRunning(_ event: Event) -> Effect? {
        switch event {
        case .run: .nothing
        case .runOther: .goes(to: .preempted)
        case .cancel: .goes(to: .cancelled)
        case .stop: .goes(to: .waiting)
        case .pause: .goes(to: .paused)
        case .resume, .remove: .refused
        case .finished: .goes(to: .completed)
        case .retryableError, .networkLost: .goes(to: .retrying)
        case .fatalError: .goes(to: .failed)
        case .queueStops, .expiry, .relaunch: .goes(to: .waiting)
        case .itsTurn, .pauseOver: nil
        }
    }

    private func whileRetrying(_ event: Event) -> Effect? {
        switch event {
        case .run, .pauseOver: .goes(to: .running)
        case .runOther: .goes(to: .preempted)
        case .cancel: .goes(to: .cancelled)
        case .stop: .goes(to: .waiting)
        case .pause: .goes(to: .paused)
        case .resume, .remove: .refused
        case .queueStops, .expiry, .relaunch: .goes(to: .waiting)
        case .itsTurn, .finished, .retryableError, .fatalError, .networkLost: nil
        }
    }

    private func whilePaused(_ event: Event) -> Effect? {
        switch event {
        // It has its turn, and stays paused (A6).
        case .itsTurn, .pause: .nothing
        case .run: .goes(to: .waiting)
        case .resume: .goes(to: .running)
        case .runOther: .goes(to: .preemptedPaused)
        case .cancel: .goes(to: .cancelled)
        case .stop: .goes(to: .waiting)
        case .remove: .refused
        case .queueStops, .expiry, .relaunch: .nothing
        case .finished, .retryableError, .fatalError, .networkLost, .pauseOver: nil
        }
    }

    private func whilePreempted(_ event: Event) -> Effect? {
        let wasPaused = self == .preemptedPaused
        return switch event {
        case .itsTurn: .goes(to: wasPaused ? .paused : .running)
        case .run: .goes(to: .waiting)
        case .cancel: .goes(to: .cancelled)
        case .stop: .goes(to: .waiting)
        case .pause, .resume: .refused
        case .remove: .gone
        case .runOther: .nothing
        case .queueStops, .expiry, .relaunch: .goes(to: wasPaused ? .paused : .waiting)
        case .finished, .retryableError, .fatalError, .networkLost, .pauseOver: nil
        }
    }

    private func atTheEnd(_ event: Event) -> Effect? {
        switch event {
        case .run: .goes(to: .waiting)
        case .cancel, .stop, .runOther, .queueStops, .expiry, .relaunch: .nothing
        case .pause, .resume: .refused
        case .remove: .gone
        case .itsTurn, .finished, .retryableError, .fatalError, .networkLost, .pauseOver: nil
        }
    }
}
