import DocrootServer
import Glibc
import Synchronization

/// Threads that wait for the disk, so that the loop does not: while one brings a gigabyte to the
/// disk, the loop serves others.
final class DiskWorkers {
    private let board: Board

    /// What a thread comes back with.
    enum Done: Sendable {
        case step(of: UploadID, SystemError?)
        case answer(StoreTicket, StoreAnswer)
        /// There are versions to give: what was asked can be answered.
        case versions(StoreTicket, StoreRequest)
    }

    typealias Work = @Sendable () -> Done

    /// Enough that a big file and what hides behind it do not stop the next.
    private static let threadCount = 4

    init() throws(SystemError) {
        board = try Board()
        for _ in 0..<Self.threadCount { try board.startThread() }
    }

    /// The threads finish what is there already.
    deinit { board.close() }

    /// Readable once something is done.
    var descriptor: Int32 { board.done.reading.number }

    func submit(_ work: @escaping Work) { board.submit(work) }

    /// In the order in which it was finished.
    func takeDone() -> [Done] { board.takeDone() }

    /// What loop and threads share. A byte in a pipe stands for each piece of work that waits, and
    /// one for each that is done.
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

        /// No thread finds work after all that was there.
        func close() {
            for _ in 0..<DiskWorkers.threadCount { signal(work) }
        }

        func startThread() throws(SystemError) {
            var thread = pthread_t()
            let board = Unmanaged.passRetained(self)
            let code = pthread_create(
                &thread, nil,
                { pointer in
                    if let pointer {
                        Unmanaged<Board>.fromOpaque(pointer).takeRetainedValue().workOn()
                    }
                    return nil
                }, board.toOpaque())
            guard code == 0 else {
                board.release()
                throw SystemError("start a thread", code: code)
            }
            pthread_detach(thread)
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

        /// A full pipe wakes its reader as well as one byte more would.
        private func signal(_ pipe: borrowing DescriptorPipe) {
            var byte: UInt8 = 1
            _ = retryingInterrupted { write(pipe.writing.number, &byte, 1) }
        }
    }
}
