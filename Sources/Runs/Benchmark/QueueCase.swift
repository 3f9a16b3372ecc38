import Quantities
import TransferEngine

/// The cost of a queue of a hundred thousand sessions in the engine, without the store.
struct QueueCase: Hashable, Sendable {
    let deed: Deed

    enum Deed: String, Hashable, Sendable, CaseIterable {
        case enqueue, start, cancel, move
        /// The process starts, and finds the sessions in its store.
        case launch
    }

    static let sessionCount = 100_000
    private static let deedCount = 10_000

    /// Measures the deed alone, without the time to fill the queue before it.
    func play() -> BenchmarkSample {
        var queue = Queue()
        if deed != .enqueue { queue.fill() }
        var random = RandomStream(seed: 1, name: "benchmark/queue")
        let (launched, accounts) = queue.stored
        if deed == .launch { queue = Queue(empty: false) }
        let meter = Meter()
        switch deed {
        case .enqueue: queue.fill()
        case .launch:
            queue.tell(.restored(launched, accounts: accounts))
            queue.letGoOfOutputs()
        case .start:
            for _ in 0..<Self.deedCount {
                queue.tell(.command(.queue(.start)))
                queue.tell(.command(.queue(.stop)))
            }
        case .cancel:
            for _ in 0..<Self.deedCount {
                queue.tell(.command(.queue(.session(.cancel, Self.session(&random)))))
            }
        case .move:
            for _ in 0..<Self.deedCount {
                queue.tell(
                    .command(.queue(.move(Self.session(&random), to: Self.index(&random)))))
            }
        }
        let cost = meter.cost()
        return BenchmarkSample(
            exact: ["outputs": .whole(queue.outputCount)], counts: ["operations": operations],
            cost: cost)
    }

    private var operations: UInt64 {
        switch deed {
        case .enqueue: UInt64(Self.sessionCount)
        // Each start is followed by a stop.
        case .start: UInt64(2 * Self.deedCount)
        case .cancel, .move: UInt64(Self.deedCount)
        case .launch: 1
        }
    }

    private static func session(_ random: inout RandomStream) -> SessionID {
        SessionID(1 + random.below(UInt64(sessionCount)))
    }

    private static func index(_ random: inout RandomStream) -> Int {
        Int(random.below(UInt64(sessionCount)))
    }

    /// An engine whose store keeps everything at once.
    private struct Queue {
        private var kept: [SessionID: SessionRecord] = [:]
        private var accounts: [AccountRecord] = []
        private(set) var outputCount: UInt64 = 0
        private var engine = TransferEngine()
        private var outputs: [EngineOutput] = []

        init(empty: Bool = true) {
            if empty { tell(.restored([])) }
        }

        mutating func fill() {
            let account = Account(
                host: "docroot", port: 80, credentials: CredentialHandle("app"))
            for number in 0..<sessionCount {
                let file = SessionRequest.File(
                    source: "pictures/\(number).jpg", destination: "incoming/\(number).jpg")
                tell(.command(.queue(.enqueue(SessionRequest(account: account, uploads: [file])))))
            }
        }

        /// What a store gives at the next launch.
        var stored: (sessions: [SessionRecord], accounts: [AccountRecord]) {
            (kept.values.sorted { $0.id < $1.id }, accounts)
        }

        /// Drops the outputs, as if a host had carried them out, so that only the engine's memory
        /// counts.
        mutating func letGoOfOutputs() { outputs = [] }

        mutating func tell(_ input: EngineInput) {
            var inputs = [input]
            while let next = inputs.first {
                inputs.removeFirst()
                outputs.removeAll(keepingCapacity: true)
                _ = engine.handle(next, at: .start, into: &outputs)
                outputCount += UInt64(outputs.count)
                for output in outputs {
                    guard case .persist(let ticket, let change) = output else { continue }
                    if case .put(let record) = change { kept[record.id] = record }
                    if case .putAccount(let record) = change { accounts.append(record) }
                    inputs.append(.persisted(ticket))
                }
            }
        }
    }
}
