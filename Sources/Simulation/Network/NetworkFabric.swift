import LinkModels
import Quantities
import RunLog

/// What packets move through: the clock, the links, and the log that hears of every packet.
///
/// Endpoints get it `inout` and send by it; it knows nothing of TCP.
struct NetworkFabric: ~Copyable, Clonable {
    var kernel: SimulationKernel
    private var sink = RunLogSink()
    private var journal = PacketJournal()
    var tap: PacketTap?
    private var links: UnsafeMutablePointer<NetworkLink>
    private var linkCount: Int
    /// Of the links by which hosts send; behind them is room for two that lead nowhere.
    private let hostLinkCount: Int
    private let seed: UInt64
    /// They are asked only where every packet is looked at.
    private var translators: AddressTranslators?

    init(
        _ plans: [LinkPlan], seed: UInt64, ties: UInt64? = nil, tap: consuming PacketTap? = nil
    ) {
        kernel = SimulationKernel(ties: ties)
        self.tap = tap
        hostLinkCount = plans.count
        linkCount = 0
        self.seed = seed
        links = .allocate(capacity: plans.count + 2)
        for plan in plans { append(plan) }
        if self.tap != nil { journal.wantAttentionAlways() }
    }

    deinit {
        links.deinitialize(count: linkCount)
        links.deallocate()
    }

    mutating func unshare() {
        kernel.unshare()
        keep(sink)
        journal.unshare()
        keep(translators)
        // What is written to files is written once.
        withUnsafeMutablePointer(to: &tap) { $0.initialize(to: nil) }
        let originals = links
        links = .allocate(capacity: hostLinkCount + 2)
        for place in 0..<linkCount {
            (links + place).initialize(to: originals[place].clone())
        }
    }

    /// Where everybody writes facts; the packets of the moment stand elsewhere.
    var log: RunLogSink {
        mutating _read {
            if !journal.isEmpty { sink.notePackets() }
            yield sink
        }
        _modify {
            if !journal.isEmpty { sink.notePackets() }
            yield &sink
        }
    }

    /// Whether there are so many packets in the log that it is time to drain it.
    var isLogRipe: Bool {
        @inline(__always) get { journal.isRipe }
    }

    /// Keeps what nobody has drained though it was time.
    mutating func keepLog() { journal.handOver(to: &sink) }

    mutating func drainLog(into reader: inout some RunLogReader) {
        journal.drain(&sink, into: &reader)
    }

    @inline(__always)
    mutating func send(
        _ packet: consuming Packet, with blocks: SelectiveAcknowledgement? = nil, on link: Int32
    ) {
        // First of all, so that it is made where it will lie.
        let size = packet.size
        let place = links[Int(link)].write(packet)
        if let blocks { links[Int(link)].write(blocks) }
        if journal.wantsAttention { attend(toSending: UnsafePointer(place), on: link) }
        links[Int(link)].send(place, of: size, kernel: &kernel, journal: &journal)
    }

    /// The packet that arrives now; it can be read until the next is sent on the same link.
    @inline(__always)
    mutating func deliver(from link: Int32) -> UnsafePointer<Packet> {
        if journal.wantsAttention { attend(toDeliveryFrom: link) }
        return links[Int(link)].deliver(kernel: &kernel, journal: &journal)
    }

    /// What a link will deliver soon, for who wants to be ready; or any other packet.
    @inline(__always)
    func coming(on link: Int32) -> UnsafePointer<Packet> { links[Int(link)].coming }

    /// The SACK blocks of a packet that has arrived, or is about to leave, by a link.
    func blocks(of packet: UnsafePointer<Packet>, on link: Int32) -> SelectiveAcknowledgement {
        links[Int(link)].blocks(of: packet)
    }

    /// The link goes down, with all that is on it, or comes up.
    mutating func take(_ link: Int32, down: Bool) {
        guard links[Int(link)].isDown != down else { return }
        let number = UInt16(link)
        journal.handOver(to: &sink)
        sink.record(.link(down ? .down(link: number) : .up(link: number)), at: kernel.now)
        sink.separate()
        if down {
            links[Int(link)].takeDown(kernel: &kernel, journal: &journal)
        } else {
            links[Int(link)].bringUp()
        }
    }

    /// What takes the place of a link when a way is gone: nothing that is sent there arrives.
    mutating func linkToNowhere(inPlaceOf link: Int32) -> Int32 {
        if linkCount == hostLinkCount {
            // What is sent here comes behind these plans in the log, and all else before them.
            journal.handOver(to: &sink)
            append(.leadingNowhere("clients to nowhere"))
            append(.leadingNowhere("servers to nowhere"))
            sink.separate()
        }
        return Int32(hostLinkCount) + (NetworkHost.isUplink(link) ? 0 : 1)
    }

    /// Sends a packet of somebody on the way, whom no host's capture sees sending.
    mutating func sendFromWay(_ packet: consuming Packet, on link: Int32) {
        journal.handOverIfFull(to: &sink)
        let size = packet.size
        let place = links[Int(link)].write(packet)
        links[Int(link)].send(place, of: size, kernel: &kernel, journal: &journal)
    }

    mutating func depart(from link: Int32) {
        if journal.wantsAttention { journal.handOverIfFull(to: &sink) }
        links[Int(link)].depart(kernel: &kernel, journal: &journal)
    }

    /// Whether a packet is on a link that is not cross traffic.
    var hasOwnPackets: Bool {
        (0..<linkCount).contains { links[$0].ownCount > 0 }
    }

    mutating func closeBooks() {
        for index in 0..<linkCount {
            let count = links[index].count
            log.record(.link(.counted(link: UInt16(index), count)), at: kernel.now)
        }
    }

    // MARK: Translators of addresses

    /// Lets them see every packet from now on, if there are any.
    mutating func pass(by translators: AddressTranslators?) {
        guard let translators else { return }
        self.translators = translators
        journal.wantAttentionAlways()
    }

    /// The timer of the translators is due: what they forget now.
    mutating func forgetMappings() -> [AddressTranslators.Mapping] {
        let source = EventSource(.timerSlot, AddressTranslators.slot)
        kernel.cancel(source)
        let forgotten = translators?.forget(atNanoseconds: kernel.nowNanoseconds)
        if let next = forgotten?.next { kernel.set(source, atNanoseconds: next) }
        return forgotten?.mappings ?? []
    }

    private mutating func translate(_ packet: borrowing Packet, on link: Int32) {
        guard translators != nil, link < hostLinkCount, !links[Int(link)].isDown else { return }
        let time = translators?.see(
            packet, over: Int(link >> 1), atNanoseconds: kernel.nowNanoseconds)
        guard let time else { return }
        kernel.set(EventSource(.timerSlot, AddressTranslators.slot), atNanoseconds: time)
    }

    // MARK: Seldom needed

    private mutating func append(_ plan: LinkPlan) {
        let number = UInt16(linkCount)
        let link = NetworkLink(plan, index: number, seed: seed)
        log.record(.link(.planned(link: number, link.terms)), at: kernel.now)
        (links + linkCount).initialize(to: link)
        linkCount += 1
    }

    private mutating func attend(toSending packet: UnsafePointer<Packet>, on link: Int32) {
        journal.handOverIfFull(to: &sink)
        // What others send is not of these hosts.
        guard !packet.pointee.isForeign else { return }
        if NetworkHost.isUplink(link) { translate(packet.pointee, on: link) }
        tap?.leaves(
            packet.pointee, with: links[Int(link)].blocks(of: packet),
            number: links[Int(link)].nextNumber, by: link, atNanoseconds: kernel.nowNanoseconds)
    }

    private mutating func attend(toDeliveryFrom link: Int32) {
        journal.handOverIfFull(to: &sink)
        let packet = links[Int(link)].nextDelivery
        guard !packet.pointee.isForeign else { return }
        if !NetworkHost.isUplink(link) { translate(packet.pointee, on: link) }
        tap?.arrives(
            packet.pointee, with: links[Int(link)].blocks(of: packet), by: link,
            atNanoseconds: kernel.nowNanoseconds)
    }
}

extension LinkPlan {
    /// Fast, so that nothing ever waits on it.
    fileprivate static func leadingNowhere(_ name: String) -> LinkPlan {
        LinkPlan(
            name: name, filters: [.blackHole(.init(from: .start, until: .end))], delay: .zero,
            bottleneck: BottleneckPlan(
                rate: Bitrate(bitsPerSecond: 1_000_000_000),
                queue: .dropTail(limit: ByteCount(1 << 20))))
    }
}
