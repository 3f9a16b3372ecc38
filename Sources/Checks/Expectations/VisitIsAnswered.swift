import Facts
import Quantities
import RunLog

/// What a visit's key `answer` demands, each time that the visit takes place.
struct VisitIsAnswered: Expectation {
    let demand: VisitDemand

    var watch = Watch()
    /// The statuses so far of the visit under way.
    var statuses: [Int] = []
    var begun = 0
    var ended = 0

    var statement: String { demand.statement }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .server(.visited(demand.visit, _)): begun += 1
        case .server(.visitAnswered(demand.visit, let head, let body, let text)):
            judge(head, body, text)
        case .server(.visitUnanswered(demand.visit)):
            ended += 1
            if demand.statuses != [] { fall("its connection ends without an answer") }
        case .run(.ended):
            if begun == 0 {
                fall("the visit does not take place")
            } else if ended < begun {
                fall("it is not answered by the run's end")
            }
        default: break
        }
    }

    private mutating func judge(_ head: String, _ body: ByteCount, _ text: String?) {
        let lines = head.split(separator: "\r\n").map(String.init)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        statuses.append(status)
        guard status >= 200 else { return }
        ended += 1
        defer { statuses = [] }
        if let wanted = demand.statuses, wanted != statuses {
            let list = statuses.map { "\($0)" }.joined(separator: ", then ")
            return fall("it is answered \(list)\(text.map { ": \($0.prefix(100))" } ?? "")")
        }
        for field in demand.fields {
            let value = Self.value(of: field.name, in: lines)
            guard value != field.value else { continue }
            return fall(
                value.map { "the answer has \(field.name): \($0)" }
                    ?? "the answer has no \(field.name)")
        }
        if let wanted = demand.text, !(text?.contains(wanted) ?? false) {
            return fall("the body is \(text.map { "“\($0.prefix(200))”" } ?? "no short text")")
        }
        if let size = demand.size, size != body { fall("the body has \(body)") }
    }

    private mutating func fall(_ seen: String) {
        watch.fall(expected: statement, seen: seen)
    }

    private static func value(of name: String, in lines: [String]) -> String? {
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return String(parts[1].drop { $0 == " " })
        }
        return nil
    }
}
