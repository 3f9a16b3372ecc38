import Quantities
import RunLog

/// The turning points of a run.
struct MomentBook: Sendable {
    static let limit = 60

    private(set) var moments: [Timeline.Moment] = []
    private(set) var leftOut = 0

    mutating func read(_ event: RunEvent, index: Int, _ names: RunNames) {
        guard let kind = Self.kind(of: event.fact) else { return }
        guard moments.count < Self.limit else {
            leftOut += 1
            return
        }
        moments.append(
            .init(at: event.at, event: index, kind: kind, sentence: event.sentence(names)))
    }

    private static func kind(of fact: RunEvent.Fact) -> Timeline.Moment.Kind? {
        switch fact {
        case .device(.appKilled): .killed
        // The first launch is not a turning point.
        case .device(.appLaunched(let launch, _)): launch > 1 ? .launched : nil
        case .engine(.resumes): .resumed
        case .engine(.startsOver): .startedOver
        case .engine(.fails), .store(.failed), .store(.setAside), .daemon(.store(.failed, _)),
            .daemon(.store(.setAside, _)), .device(.appCrashed):
            .failed
        case .queue(.refused), .server(.refused), .file(.kept): .refused
        case .server(.published): .published
        case .server(.fault): .fault
        case .connection(.ended(_, let why, _)):
            switch why {
            case .refused, .reset, .timedOut, .networkLost: .lost
            // The kill or the interruption is already shown, or the end was normal.
            case .closed, .processDied, .aborted: nil
            }
        default: nil
        }
    }
}
