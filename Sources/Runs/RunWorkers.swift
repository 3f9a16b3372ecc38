import Dispatch
import Foundation
import Quantities
import Synchronization

/// Plays many runs, several at a time; what happens is told in the caller's thread, and what is
/// over in the order of the runs.
final class RunWorkers<Product: Sendable>: Sendable {
    typealias Outcome = Result<Product, RunFailure>

    private let state: Mutex<State>
    private let hasNews = DispatchSemaphore(value: 0)
    private let play: @Sendable (Int, (Instant) -> Void) -> Outcome
    /// Whether others are wanted after this one; `nil`: whatever comes.
    private let isGreen: (@Sendable (Product) -> Bool)?

    private struct State {
        let count: Int
        /// The first that no thread has taken.
        var next = 0
        /// A run was not green, and no other is wanted after that.
        var isStopped = false
        /// Those that the caller has not taken yet.
        var outcomes: [Int: Outcome] = [:]
        /// What each thread plays, and how far it has come.
        var playing: [Int: Instant] = [:]
    }

    /// What the caller has not heard of.
    private struct News {
        var taken: Int
        var playing: [Int: Instant]
        var outcomes: [Int: Outcome]
        var isOver: Bool
    }

    /// With `isGreen`, the first that is not, or cannot be played, is the last.
    init(
        count: Int, failingUnless isGreen: (@Sendable (Product) -> Bool)? = nil,
        play: @escaping @Sendable (Int, (Instant) -> Void) -> Outcome
    ) {
        state = Mutex(State(count: count))
        self.isGreen = isGreen
        self.play = play
    }

    /// Returns the outcomes by the runs' numbers. Runs that an earlier failure or an interruption
    /// left unplayed are missing. Without threads, runs are played in the caller's thread, and an
    /// interruption ends the row after the run under way; threads are left alone at once.
    func run(
        threads: Int, until isInterrupted: () -> Bool = { false }, began: (Int) -> Void,
        reached: (Int, Instant) -> Void,
        finished: (Int, Outcome) -> Void
    ) -> [Int: Outcome] {
        guard threads > 0 else {
            return runHere(
                until: isInterrupted, began: began, reached: reached, finished: finished)
        }
        for _ in 0..<threads {
            let thread = Thread { self.playAll() }
            thread.stackSize = 8 << 20
            thread.start()
        }
        var told = 0
        var toldOver = 0
        var outcomes: [Int: Outcome] = [:]
        while true {
            _ = hasNews.wait(timeout: .now() + .milliseconds(100))
            let news = takeNews()
            outcomes.merge(news.outcomes) { _, latest in latest }
            for index in told..<news.taken { began(index) }
            told = news.taken
            if let latest = news.playing.max(by: { $0.key < $1.key }) {
                reached(latest.key, latest.value)
            }
            while let outcome = outcomes[toldOver] {
                finished(toldOver, outcome)
                toldOver += 1
            }
            if news.isOver { return outcomes }
            if isInterrupted() {
                state.withLock { $0.isStopped = true }
                return outcomes
            }
        }
    }

    private func takeNews() -> News {
        state.withLock { state in
            defer { state.outcomes = [:] }
            return News(
                taken: state.next, playing: state.playing, outcomes: state.outcomes,
                isOver: state.playing.isEmpty && (state.isStopped || state.next == state.count))
        }
    }

    private func runHere(
        until isInterrupted: () -> Bool, began: (Int) -> Void, reached: (Int, Instant) -> Void,
        finished: (Int, Outcome) -> Void
    ) -> [Int: Outcome] {
        while !isInterrupted(), let index = takeNext() {
            began(index)
            let outcome = play(index) { reached(index, $0) }
            end(index, outcome)
            finished(index, outcome)
        }
        return state.withLock { $0.outcomes }
    }

    private func playAll() {
        while let index = takeNext() {
            let outcome = play(index) { now in
                self.state.withLock { $0.playing[index] = now }
            }
            end(index, outcome)
            hasNews.signal()
        }
        hasNews.signal()
    }

    private func end(_ index: Int, _ outcome: Outcome) {
        state.withLock {
            $0.outcomes[index] = outcome
            $0.playing[index] = nil
            if isLast(outcome) { $0.isStopped = true }
        }
    }

    private func isLast(_ outcome: Outcome) -> Bool {
        guard let isGreen else { return false }
        switch outcome {
        case .success(let product): return !isGreen(product)
        case .failure: return true
        }
    }

    private func takeNext() -> Int? {
        state.withLock {
            guard !$0.isStopped, $0.next < $0.count else { return nil }
            $0.playing[$0.next] = .start
            $0.next += 1
            return $0.next - 1
        }
    }
}
