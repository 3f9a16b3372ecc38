import LinkModels
import Quantities
import RunLog

/// What packets move through: the clock, the links, and the log that hears of every packet.
///
/// Endpoints get it `inout` and send by it; it knows nothing of TCP.
struct NetworkFabric: ~Copyable {
    var kernel = SimulationKernel()
    private var sink = RunLogSink()
    private var journal = PacketJournal()
    private let links: UnsafeMutablePointer<NetworkLink>
    private let linkCount: Int

    init(_ plans: [LinkPlan], seed: UInt64) {
        linkCount = plans.count
        links = .allocate(capacity: linkCount)
        for (index, plan) in plans.enumerated() {
            let link = NetworkLink(plan, index: UInt16(index), seed: seed)
            sink.record(.link(.planned(link: UInt16(index), link.terms)), at: .start)
            (links + index).initialize(to: link)
        }
    }

    deinit {
        links.deinitialize(count: linkCount)
        links.deallocate()
    }

    /// The log, with everything in it that has happened so far.
    var log: RunLogSink {
        mutating _read {
            journal.handOver(to: &sink)
            yield sink
        }
        _modify {
            journal.handOver(to: &sink)
            yield &sink
        }
    }

    @inline(__always)
    mutating func send(_ packet: Packet, on link: Int32) {
        makeRoomForRecords()
        links[Int(link)].send(packet, kernel: &kernel, journal: &journal)
    }

    @inline(__always)
    mutating func deliver(from link: Int32) -> Packet {
        makeRoomForRecords()
        return links[Int(link)].deliver(kernel: &kernel, journal: &journal)
    }

    mutating func depart(from link: Int32) {
        makeRoomForRecords()
        links[Int(link)].depart(kernel: &kernel, journal: &journal)
    }

    mutating func closeBooks() {
        for index in 0..<linkCount {
            let count = links[index].count
            log.record(.link(.counted(link: UInt16(index), count)), at: kernel.now)
        }
    }

    /// A packet that is sent and duplicated, and whose copy is dropped, makes three.
    @inline(__always)
    private mutating func makeRoomForRecords() {
        if journal.lacksRoom { journal.handOver(to: &sink) }
    }
}
