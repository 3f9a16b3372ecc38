import LinkModels
import Quantities
import RunLog

/// The medium of packets: the clock, the links, and the log.
///
/// Endpoints receive it `inout` to send. It knows nothing of TCP.
struct NetworkFabric: ~Copyable, Clonable {
    var kernel: SimulationKernel
    private var sink = RunLogSink()
    private var journal = PacketJournal()
    var tap: PacketTap?
    private var links: UnsafeMutablePointer<NetworkLink>
    private var linkCount: Int
    /// Number of links by which hosts send. Two more may follow that lead nowhere.
    private let hostLinkCount: Int
    private let seed: UInt64
    /// Address translators, consulted only if the journal wants attention for every packet.
    private var translators: AddressTranslators?
    /// Radios of the hosts' interfaces, asked for every packet that is sent.
    private var radios: InterfaceRadios?
    /// Routers that drop large packets, shown every packet that is sent.
    private var routers: PathRouters?
    /// The largest packets of which hosts know, indexed by link.
    private let knownLimits: [UInt64]

    /// Makes the links; `flows` are the bulk flows over them, for the log.
    init(
        _ plans: [LinkPlan], flows: [BulkFlow?] = [], radios: InterfaceRadios? = nil, seed: UInt64,
        ties: UInt64? = nil, tap: consuming PacketTap? = nil
    ) {
        kernel = SimulationKernel(ties: ties)
        self.tap = tap
        hostLinkCount = plans.count
        linkCount = 0
        self.seed = seed
        self.radios = radios
        routers = PathRouters(plans)
        knownLimits = plans.map {
            $0.largestPacket(told: .byInterface)?.bytes ?? UInt64(Packet.maximumSize)
        }
        links = .allocate(capacity: plans.count + 2)
        for (place, plan) in plans.enumerated() {
            append(plan, flow: place < flows.count ? flows[place] : nil)
        }
        if self.tap != nil || radios != nil || routers != nil { journal.wantAttentionAlways() }
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
        keep(radios)
        keep(routers)
        keep(knownLimits)
        // A clone writes no capture files.
        withUnsafeMutablePointer(to: &tap) { $0.initialize(to: nil) }
        let originals = links
        links = .allocate(capacity: hostLinkCount + 2)
        for place in 0..<linkCount {
            (links + place).initialize(to: originals[place].clone())
        }
    }

    /// Log for facts. Recent packets are in the journal.
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

    /// Whether it is time to drain the log.
    var isLogRipe: Bool {
        @inline(__always) get { journal.isRipe }
    }

    /// Moves recent packets to the log if nobody has drained them in time.
    mutating func keepLog() { journal.handOver(to: &sink) }

    mutating func drainLog(into reader: inout some RunLogReader) {
        journal.drain(&sink, into: &reader)
    }

    @inline(__always)
    mutating func send(
        _ packet: consuming Packet, with blocks: SelectiveAcknowledgement? = nil, on link: Int32
    ) {
        // Written first, so that the packet is made in its final place.
        let size = packet.size
        let place = links[Int(link)].write(packet)
        if let blocks { links[Int(link)].write(blocks) }
        if journal.wantsAttention { attend(toSending: UnsafePointer(place), on: link) }
        links[Int(link)].send(place, of: size, kernel: &kernel, journal: &journal)
        if routers != nil { letRoutersAnswer(dropsOn: link) }
    }

    /// Takes the packet at the end of a link off it, also one that was lost on its way. It can be
    /// read until the next packet is sent on the link.
    @inline(__always)
    mutating func deliver(from link: Int32) -> UnsafePointer<Packet> {
        if journal.wantsAttention { attend(toDeliveryFrom: link) }
        return links[Int(link)].deliver(kernel: &kernel, journal: &journal)
    }

    /// Returns a packet that the link will deliver soon, or any other, for prefetching.
    @inline(__always)
    func coming(on link: Int32) -> UnsafePointer<Packet> { links[Int(link)].coming }

    func blocks(of packet: UnsafePointer<Packet>, on link: Int32) -> SelectiveAcknowledgement {
        links[Int(link)].blocks(of: packet)
    }

    /// Takes a link down, with all packets on it, or brings it up.
    mutating func take(_ link: Int32, down: Bool) {
        guard links[Int(link)].isDown != down else { return }
        let number = UInt16(link)
        journal.handOver(to: &sink)
        sink.record(.link(down ? .down(link: number) : .up(link: number)), at: kernel.now)
        sink.separate()
        if down {
            radios?.switchOff(Int(link >> 1))
            links[Int(link)].takeDown(kernel: &kernel, journal: &journal)
        } else {
            links[Int(link)].bringUp()
        }
    }

    /// Returns a link that delivers nothing, for connections whose way is cut.
    mutating func linkToNowhere(inPlaceOf link: Int32) -> Int32 {
        if linkCount == hostLinkCount {
            // Packets sent here follow these plans in the log; all earlier packets precede them.
            journal.handOver(to: &sink)
            append(.leadingNowhere("clients to nowhere"))
            append(.leadingNowhere("servers to nowhere"))
            sink.separate()
        }
        return Int32(hostLinkCount) + (NetworkHost.isUplink(link) ? 0 : 1)
    }

    /// Sends a packet from the middle of the network. It appears in no capture of its sender.
    mutating func sendFromWay(_ packet: consuming Packet, on link: Int32) {
        journal.handOverIfFull(to: &sink)
        let size = packet.size
        let place = links[Int(link)].write(packet)
        awaitRadio(of: link)
        links[Int(link)].send(place, of: size, kernel: &kernel, journal: &journal)
    }

    mutating func depart(from link: Int32) {
        if journal.wantsAttention { journal.handOverIfFull(to: &sink) }
        links[Int(link)].depart(kernel: &kernel, journal: &journal)
    }

    /// Whether any packet on a link is not cross traffic.
    var hasOwnPackets: Bool {
        (0..<linkCount).contains { links[$0].ownCount > 0 }
    }

    mutating func closeBooks() {
        for index in 0..<linkCount {
            let count = links[index].count
            log.record(.link(.counted(link: UInt16(index), count)), at: kernel.now)
        }
    }

    // MARK: Large packets

    /// Returns the content of a full segment on a connection over an interface: what fits into the
    /// largest packet of both directions.
    func segment(over interface: Int, by family: AddressFamily) -> UInt64 {
        largestPacket(over: interface) - family.headerSize
    }

    /// Returns the largest packet of which the hosts know, in both directions of an interface.
    func largestPacket(over interface: Int) -> UInt64 {
        let links = [NetworkHost.client, .server].map { Int($0.link(of: interface)) }
        let largest = links.map { knownLimits[$0] }.min() ?? UInt64(Packet.maximumSize)
        return min(largest, UInt64(Packet.maximumSize))
    }

    /// Sends the routers' messages to those whose packets were just dropped.
    mutating func answerLargePackets() {
        kernel.cancel(EventSource(.timerSlot, PathRouters.slot))
        for refusal in routers?.takeRefused() ?? [] {
            sendFromWay(
                refusal.message(atNanoseconds: kernel.nowNanoseconds), on: refusal.link ^ 1)
        }
    }

    @inline(never)
    private mutating func letRoutersAnswer(dropsOn link: Int32) {
        guard routers?.judge(drops: links[Int(link)].tooLargeCount) == true else { return }
        kernel.set(
            EventSource(.timerSlot, PathRouters.slot), atNanoseconds: kernel.nowNanoseconds)
    }

    // MARK: Translators of addresses

    /// Shows every packet to `translators` from now on.
    mutating func pass(by translators: AddressTranslators?) {
        guard let translators else { return }
        self.translators = translators
        journal.wantAttentionAlways()
    }

    /// Handles the timer of the translators, and returns the forgotten mappings.
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

    // MARK: Rarely needed

    private mutating func append(_ plan: LinkPlan, flow: BulkFlow? = nil) {
        let number = UInt16(linkCount)
        let link = NetworkLink(plan, index: number, seed: seed)
        var terms = link.terms
        terms.bulk = flow
        terms.waits = radios?.terms(ofLink: number)
        log.record(.link(.planned(link: number, terms)), at: kernel.now)
        (links + linkCount).initialize(to: link)
        linkCount += 1
    }

    private mutating func attend(toSending packet: UnsafePointer<Packet>, on link: Int32) {
        journal.handOverIfFull(to: &sink)
        awaitRadio(of: link)
        routers?.see(
            packet, number: links[Int(link)].nextNumber, on: link,
            dropsBefore: links[Int(link)].tooLargeCount)
        guard !packet.pointee.isForeign else {
            return captureQuestion(
                packet, number: links[Int(link)].nextNumber, on: link,
                if: NetworkHost.isUplink(link))
        }
        if NetworkHost.isUplink(link) { translate(packet.pointee, on: link) }
        tap?.leaves(
            packet.pointee, with: links[Int(link)].blocks(of: packet),
            number: links[Int(link)].nextNumber, by: link, atNanoseconds: kernel.nowNanoseconds)
    }

    /// Makes the next packet on a link wait for its radio.
    private mutating func awaitRadio(of link: Int32) {
        guard radios != nil, link < hostLinkCount, !links[Int(link)].isDown else { return }
        let pair = Int(link & ~1)
        let own = links[Int(link)].busyUntil
        let now = kernel.nowNanoseconds
        let time = radios?.release(
            Int(link >> 1), isUplink: NetworkHost.isUplink(link),
            busyUntil: max(links[pair].busyUntil, links[pair + 1].busyUntil), isFree: own <= now,
            atNanoseconds: now)
        if let time, time > now { links[Int(link)].hold(untilNanoseconds: time) }
    }

    /// Captures a question for a name or its answer at the client. Captures leave cross traffic
    /// out.
    private mutating func captureQuestion(
        _ packet: UnsafePointer<Packet>, number: UInt32, on link: Int32, if isAtClient: Bool
    ) {
        guard isAtClient, packet.pointee.endpoint == NamePackets.endpoint else { return }
        tap?.asks(
            packet.pointee, number: number, by: link, atNanoseconds: kernel.nowNanoseconds)
    }

    private mutating func attend(toDeliveryFrom link: Int32) {
        journal.handOverIfFull(to: &sink)
        let packet = links[Int(link)].nextDelivery
        guard !packet.pointee.isLostOnWay else { return }
        guard !packet.pointee.isForeign else {
            return captureQuestion(
                packet, number: packet.pointee.number, on: link, if: !NetworkHost.isUplink(link))
        }
        if !NetworkHost.isUplink(link) { translate(packet.pointee, on: link) }
        tap?.arrives(
            packet.pointee, with: links[Int(link)].blocks(of: packet), by: link,
            atNanoseconds: kernel.nowNanoseconds)
    }
}

extension LinkPlan {
    /// Plan of a link that delivers nothing. It is so fast that nothing waits.
    fileprivate static func leadingNowhere(_ name: String) -> LinkPlan {
        LinkPlan(
            name: name, filters: [.blackHole(.init(from: .start, until: .end))], delay: .zero,
            bottleneck: BottleneckPlan(
                rate: Bitrate(bitsPerSecond: 1_000_000_000),
                queue: .dropTail(limit: ByteCount(1 << 20))))
    }
}
