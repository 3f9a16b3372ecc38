import DocrootServer
import Glibc

/// Numbers that are never given twice, kept in the workshop.
struct VersionCounter: Sendable {
    private let workshop: Workshop
    private let name: CounterName
    private var numbers: SpentNumbers

    init(_ name: CounterName, in workshop: Workshop) throws(SystemError) {
        self.workshop = workshop
        self.name = name
        let text = try workshop.text(of: .counter(name))
        guard let spent = text.isEmpty ? 0 : UInt64(text) else {
            throw SystemError("read the counter of \(name.rawValue)", code: EINVAL)
        }
        numbers = SpentNumbers(spent: spent)
    }

    /// All up to here may be in use.
    var spent: UInt64 { numbers.ceiling }

    mutating func next() throws(SystemError) -> UInt64 {
        try reserve(numbers.following)
        return numbers.next()
    }

    /// Sees to it that no later counter gives this number.
    mutating func reserve(_ number: UInt64) throws(SystemError) {
        guard let ceiling = numbers.reserve(number) else { return }
        for step in workshop.order.spend(ceiling, of: name) { try workshop.carryOut(step) }
        numbers.reserved(ceiling)
    }
}
