import LinkModels
import Quantities
import RunLog

/// What packets move through: the clock, the links, and the log that hears of every packet.
///
/// Endpoints get it `inout` and send by it; it knows nothing of TCP.
struct NetworkFabric: ~Copyable {
    var kernel = SimulationKernel()
    var log = RunLogSink()
    private let links: UnsafeMutablePointer<NetworkLink>
    private let linkCount: Int

    init(_ plans: [LinkPlan], seed: UInt64) {
        linkCount = plans.count
        links = .allocate(capacity: linkCount)
        for (index, plan) in plans.enumerated() {
            let link = NetworkLink(plan, index: UInt16(index), seed: seed)
            log.record(.link(.planned(link: UInt16(index), link.terms)), at: .start)
            (links + index).initialize(to: link)
        }
    }

    deinit {
        links.deinitialize(count: linkCount)
        links.deallocate()
    }

    @inline(__always)
    mutating func send(_ packet: Packet, on link: Int32) {
        links[Int(link)].send(packet, kernel: &kernel, log: &log)
    }

    @inline(__always)
    mutating func deliver(from link: Int32) -> Packet {
        links[Int(link)].deliver(kernel: &kernel, log: &log)
    }

    mutating func closeBooks() {
        for index in 0..<linkCount {
            log.record(
                .link(.counted(link: UInt16(index), links[index].count)), at: kernel.now)
        }
    }
}
