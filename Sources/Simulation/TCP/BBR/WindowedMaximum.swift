/// The maximum over a window of rounds in constant space, like Linux's `win_minmax` (K. Nichols):
/// the best value and two later ones.
///
/// When the best value expires, the next takes its place. The second value is replaced after a
/// quarter of the window and the third after a half, so that each is younger than its predecessor.
struct WindowedMaximum {
    private var best = Entry(value: .zero, round: 0)
    private var second = Entry(value: .zero, round: 0)
    private var third = Entry(value: .zero, round: 0)
    private let length: UInt64

    private struct Entry {
        var value: FlowRate
        var round: UInt64
    }

    init(rounds: UInt64) { length = rounds }

    mutating func insert(_ value: FlowRate, round: UInt64) {
        let entry = Entry(value: value, round: round)
        if value >= best.value || round - third.round > length {
            best = entry
            second = entry
            third = entry
            return
        }
        if value >= second.value {
            second = entry
            third = entry
        } else if value >= third.value {
            third = entry
        }
        expire(entry)
    }

    var value: FlowRate { best.value }

    private mutating func expire(_ entry: Entry) {
        let age = entry.round - best.round
        if age > length {
            best = second
            second = third
            third = entry
            // The successor may have expired as well.
            if entry.round - best.round > length {
                best = second
                second = third
            }
        } else if second.round == best.round, age > length / 4 {
            second = entry
            third = entry
        } else if third.round == second.round, age > length / 2 {
            third = entry
        }
    }
}
