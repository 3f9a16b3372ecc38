import DocrootServer
import Glibc
import Synchronization
import TransferHost

/// Threads that wait for the disk, so that the loop can serve others meanwhile.
final class DiskWorkers {
    private let board: Board

    /// The result of a piece of work.
    enum Done: Sendable {
        case step(of: UploadID, SystemError?)
        case answer(StoreTicket, StoreAnswer)
        /// Versions were reserved: the request can be answered.
        case versions(StoreTicket, StoreRequest)
    }

    typealias Work = @Sendable () -> Done

    /// Enough that a big file does not hold up the next.
    private static let threadCount = 4

    init() throws(SystemError) {
        board = try Board()
        for _ in 0..<Self.threadCount { try board.workOnThread() }
    }

    /// The threads finish the work that waits.
    deinit { board.close() }

    /// Readable once something is done.
    var descriptor: Int32 { board.done.reading.number }

    func submit(_ work: @escaping Work) { board.submit(work) }

    /// Returns the results in the order in which they came.
    func takeDone() -> [Done] { board.takeDone() }

    /// The state shared by loop and threads. A byte in a pipe stands for each waiting piece of
    /// work, and in another for each result.
    private final class Board: Sendable {
        private let waiting = Mutex<ArraySlice<Work>>([])
        private let finished = Mutex<[Done]>([])
        private let work: DescriptorPipe
        let done: DescriptorPipe

        init() throws(SystemError) {
            work = try DescriptorPipe()
            done = try DescriptorPipe()
            try done.reading.doNotBlock()
            try done.writing.doNotBlock()
        }

        func submit(_ piece: @escaping Work) {
            waiting.withLock { $0.append(piece) }
            signal(work)
        }

        func takeDone() -> [Done] {
            var bytes = [UInt8](repeating: 0, count: 256)
            while read(done.reading.number, &bytes, bytes.count) > 0 {}
            return finished.withLock { list in
                defer { list = [] }
                return list
            }
        }

        /// Ends each thread once no work is left.
        func close() {
            for _ in 0..<DiskWorkers.threadCount { signal(work) }
        }

        func workOnThread() throws(SystemError) {
            pthread_detach(try startThread { [self] in workOn() })
        }

        private func workOn() {
            var byte: UInt8 = 0
            while retryingInterrupted({ read(work.reading.number, &byte, 1) }) == 1 {
                guard let piece = waiting.withLock({ $0.popFirst() }) else { return }
                let result = piece()
                finished.withLock { $0.append(result) }
                signal(done)
            }
        }

        /// A full pipe wakes its reader, too.
        private func signal(_ pipe: borrowing DescriptorPipe) {
            var byte: UInt8 = 1
            _ = retryingInterrupted { write(pipe.writing.number, &byte, 1) }
        }
    }
}
