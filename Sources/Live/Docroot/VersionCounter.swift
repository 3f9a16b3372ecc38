import DocrootServer
import Glibc
import Synchronization
import TransferHost

/// Numbers that are never given twice, kept in the workshop. The loop takes reserved numbers;
/// threads reserve more.
final class VersionCounter: Sendable {
    private let workshop: Workshop
    private let name: CounterName
    private let numbers: Mutex<SpentNumbers>
    /// One thread at a time writes to the disk.
    private let turn = Mutex(())

    init(_ name: CounterName, in workshop: Workshop) throws(SystemError) {
        self.workshop = workshop
        self.name = name
        let text = try workshop.text(of: .counter(name))
        guard let spent = text.isEmpty ? 0 : UInt64(text) else {
            throw SystemError("read the counter of \(name.rawValue)", code: EINVAL)
        }
        numbers = Mutex(SpentNumbers(spent: spent))
    }

    /// Numbers up to this one may be in use.
    var spent: UInt64 { numbers.withLock { $0.ceiling } }

    /// Whether no later counter gives a number.
    func isReserved(_ number: UInt64) -> Bool {
        numbers.withLock { $0.reserve(number) == nil }
    }

    func next() throws(SystemError) -> UInt64 {
        let number = numbers.withLock { numbers in
            numbers.reserve(numbers.following) == nil ? numbers.next() : nil
        }
        guard let number else { throw .numbersSpent }
        return number
    }

    /// Waits until a number is reserved, or until there is one to give.
    func reserve(_ number: UInt64? = nil) throws(SystemError) {
        try turn.withLock { _ throws(SystemError) in
            let ceiling = numbers.withLock { $0.reserve(number ?? $0.following) }
            guard let ceiling else { return }
            for step in workshop.order.spend(ceiling, of: name) { try workshop.carryOut(step) }
            numbers.withLock { $0.reserved(ceiling) }
        }
    }
}

extension SystemError {
    /// Not a fault: a thread reserves more numbers, then the step is repeated.
    static let numbersSpent = SystemError("give a number before more are reserved", code: EAGAIN)
}
