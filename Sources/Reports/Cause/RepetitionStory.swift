import Checks
import Quantities
import RunLog

/// Which bytes were sent again, and why: what had interrupted their transfer, and where it went
/// on.
struct RepetitionStory: BreachStory {
    /// The number of repetitions that are told, the largest ones.
    private static let most = 3

    private let names: RunNames
    private var bodies = SentBodies()
    private var items: [TransferName: ItemName] = [:]
    private var sources: [TransferName: String] = [:]
    /// What last interrupted an item, and where a transfer went on since.
    private var interruptions: [ItemName: BreachCause.Reason] = [:]
    private var restarts: [TransferName: BreachCause.Reason] = [:]
    /// The bodies on each open connection.
    private var open: [ConnectionName: [Body]] = [:]
    private var repetitions: [Repetition] = []

    private struct Body {
        var transfer: TransferName
        var reasons: [BreachCause.Reason]
    }

    private struct Repetition {
        var size: ByteCount
        var reasons: [BreachCause.Reason]
    }

    init(_ names: RunNames) { self.names = names }

    var reasons: [BreachCause.Reason] {
        let largest = repetitions.sorted { $0.size > $1.size }.prefix(Self.most)
        let told = largest.flatMap(\.reasons)
        return told.sorted { $0.event < $1.event }.reduce(into: []) { reasons, reason in
            if reasons.last != reason { reasons.append(reason) }
        }
    }

    mutating func read(_ event: RunEvent, index: Int) {
        let before = bodies.sentAgain
        bodies.read(event)
        switch event.fact {
        case .engine(let fact): read(fact, event, index)
        case .queue(.pathAdded(let item, let path)):
            items[path.transfer] = item
            sources[path.transfer] = path.source
        case .connection(.ended(let connection, _, _)):
            let ended = open.removeValue(forKey: connection) ?? []
            guard bodies.sentAgain > before, let last = ended.last else { return }
            let again = bodies.sentAgain - before
            let file = sources[last.transfer].map { " of \($0)" } ?? ""
            let sum = reason(
                "\(again.rounded)\(file) were sent again on \(connection)", event,
                index)
            repetitions.append(Repetition(size: again, reasons: last.reasons + [sum]))
        default: break
        }
    }

    private mutating func read(_ fact: EngineFact, _ event: RunEvent, _ index: Int) {
        switch fact {
        case .accepts(let item, _, let transfers):
            for transfer in transfers {
                items[transfer.transfer] = item
                sources[transfer.transfer] = transfer.source
            }
        case .moves(let item, _, let stage, _) where stage != .running && !stage.isTerminal:
            interruptions[item] = reason(fact.sentence, event, index)
        case .fails(let item, _, _, _):
            interruptions[item] = reason(fact.sentence, event, index)
        case .startsOver(let transfer, _), .resumes(let transfer, _, _):
            restarts[transfer] = reason(fact.sentence, event, index)
        case .sends(let transfer, _, let from, let connection, _):
            let place = from == .zero ? "its first byte" : "byte \(from.bytes)"
            let item = items[transfer].map { "\($0)" } ?? "\(transfer)"
            let file = sources[transfer].map { " of \($0)" } ?? ""
            let restart =
                restarts.removeValue(forKey: transfer)
                ?? reason("\(item) sends from \(place)\(file) on", event, index)
            let interruption = items[transfer].flatMap { interruptions[$0] }
            open[connection, default: []].append(
                Body(
                    transfer: transfer,
                    reasons: [interruption, restart].compactMap(\.self)))
        default: break
        }
    }

    private func reason(_ words: String, _ event: RunEvent, _ index: Int) -> BreachCause.Reason {
        BreachCause.Reason(words, event, index: index, of: names)
    }
}
