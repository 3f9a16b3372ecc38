import Quantities
package import Reports
import RunLog
import RunPlan

/// A place in a run, and the kind of crash that happens there.
package struct CrashPoint: Hashable, Sendable {
    package var how: CrashTable.Crash
    package var place: CrashTable.Point

    func cut(pause: TimeSpan) -> ProcessCut {
        let occasion: ProcessCut.Occasion =
            switch place {
            case .event(let at, _, let isAfter): .at(isAfter ? at + Self.instant : at)
            case .write(let number): .atStoreWrite(number)
            }
        return ProcessCut(occasion, losesPower: how == .powerLost, pause: pause)
    }

    /// Moves a crash behind all events of a moment.
    fileprivate static let instant = TimeSpan(nanoseconds: 1)
}

/// Finds the crash points in the log of the run without a crash: each event while the first app
/// runs, except packets, and each write to a store.
struct CrashPoints {
    private var moments: [(at: Instant, sentence: String)] = []
    private var isRunning = false
    private var names = RunNames()

    mutating func read(_ event: RunEvent) {
        if case .run(.began(let beginning)) = event.fact { names = beginning.names ?? RunNames() }
        if event.app == nil {
            switch event.fact {
            case .device(.appLaunched): isRunning = true
            case .device(.appKilled), .device(.appCrashed): isRunning = false
            default: break
            }
        }
        if case .device(.power) = event.fact { isRunning = false }
        // All events of a moment are one point.
        guard isRunning, event.fact.isPoint, moments.last?.at != event.at else { return }
        moments.append((event.at, event.sentence(names)))
    }

    func all(ofApps: UInt64, ofAll: UInt64) -> [CrashPoint] {
        CrashTable.Crash.allCases.flatMap { how in
            moments.flatMap { moment in
                [false, true].map { isAfter in
                    CrashPoint(
                        how: how,
                        place: .event(
                            at: moment.at, sentence: moment.sentence, isAfter: isAfter))
                }
            }
                + (0..<(how == .appKilled ? ofApps : ofAll)).map {
                    CrashPoint(how: how, place: .write($0 + 1))
                }
        }
    }
}

extension Fact {
    fileprivate var isPoint: Bool {
        switch self {
        case .packets, .link, .run, .shown: false
        default: true
        }
    }
}
