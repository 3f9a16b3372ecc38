/// Sub-queues in the order of their turns: a ring that holds each at most once.
struct LineTurns: Sendable {
    private var lines: [Int]
    private var head = 0
    private var count = 0

    init(capacity: Int) { lines = Array(repeating: 0, count: capacity) }

    var first: Int? { count > 0 ? lines[head] : nil }

    mutating func append(_ line: Int) {
        lines[(head + count) % lines.count] = line
        count += 1
    }

    mutating func removeFirst() {
        head = (head + 1) % lines.count
        count -= 1
    }
}
