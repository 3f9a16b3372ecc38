import LinkModels
import Quantities
import RunLog
import RunPlan

/// Connections by name: the resolver behind each interface, what the phones have learnt from it,
/// and the attempts of each connection.
///
/// A host knows a connection by a handle that stands for whichever attempt wins. Handles of the
/// stack count from 0, these from the lowest number, so that neither is taken for the other.
struct NameService: Sendable {
    private let plan: NamePlan
    private var book: AddressBook
    /// Answers that the resolvers have not sent yet, in order of time.
    private var replies: [Reply] = []
    private var calls: [Call] = []
    /// Numbers of the calls that are neither established nor over.
    private var racing: [Int] = []
    /// The call of each connection of the stack, by its number there.
    private var owners: [Int] = []
    /// Packets that have arrived, by link.
    private var delivered: [LinkCount.Tally] = []

    private struct Reply {
        let due: Instant
        let interface: UInt16
        let message: NamePackets.Message
    }

    /// A connection that a host has asked for.
    struct Call: Sendable {
        let name: ConnectionName
        let app: UInt16?
        let interface: UInt16
        let port: UInt16
        let isBackground: Bool
        fileprivate var race = ConnectionRace()
        fileprivate var attempts: [(family: AddressFamily, stream: StreamHandle)] = []
        fileprivate var stream: StreamHandle?

        init(
            _ name: ConnectionName, of app: UInt16?, over interface: Int, port: UInt16,
            isBackground: Bool
        ) {
            self.name = name
            self.app = app
            self.interface = UInt16(interface)
            self.port = port
            self.isBackground = isBackground
        }
    }

    /// Timer slot before that of the translators.
    static let slot = AddressTranslators.slot - 1

    /// Returns `nil` without a plan: then hosts know the address.
    init?(_ plan: NamePlan?) {
        guard let plan else { return nil }
        self.plan = plan
        book = AddressBook(keep: plan.keep)
    }

    /// Whether a host waits for an address or for an attempt.
    var isBusy: Bool { !racing.isEmpty }

    // MARK: Books

    /// Announces the packets on the first links, which are those of the interfaces.
    mutating func begin(links count: Int, _ fabric: inout NetworkFabric) {
        let terms = NameTerms(
            host: NamePackets.host, addresses: plan.addresses, keep: plan.keep,
            flow: NamePackets.flow)
        fabric.log.record(.network(.names(terms)), at: .start)
        delivered = Array(repeating: LinkCount.Tally(), count: count)
        for link in 0..<count {
            let isUp = NetworkHost.isUplink(Int32(link))
            let terms = SharingTerms(
                flow: NamePackets.flow,
                what: isUp ? "questions for addresses" : "answers with addresses")
            fabric.log.record(.link(.shared(link: UInt16(link), terms)), at: .start)
        }
    }

    func closeBooks(_ fabric: inout NetworkFabric) {
        for (link, tally) in delivered.enumerated() {
            let count = SharingCount(flow: NamePackets.flow, delivered: tally)
            fabric.log.record(
                .link(.shareCounted(link: UInt16(link), count)), at: fabric.kernel.now)
        }
    }

    // MARK: What the hosts do

    /// Begins a connection. Events name it by the handle that is returned.
    mutating func call(
        _ call: Call, _ stack: inout TCPStack, _ fabric: inout NetworkFabric
    ) -> StreamHandle {
        let number = calls.count
        calls.append(call)
        racing.append(number)
        // The question for IPv6 goes first (RFC 8305 §3).
        for family in AddressFamily.allCases {
            ask(NameQuestion(interface: call.interface, family: family), for: number, &fabric)
        }
        goOn(number, &stack, &fabric)
        setTimer(&fabric)
        return Self.handle(of: number)
    }

    /// Returns the stream that a handle stands for; `nil` while there is none.
    func stream(of handle: StreamHandle) -> StreamHandle? {
        calls[Self.number(of: handle)].stream.map {
            StreamHandle(index: $0.index | handle.index & 1)
        }
    }

    func interface(of handle: StreamHandle) -> Int {
        Int(calls[Self.number(of: handle)].interface)
    }

    /// Ends a call without a stream. The host hears why, unless it is gone.
    mutating func cancel(
        _ handle: StreamHandle, because why: ConnectionEnd?, _ stack: inout TCPStack,
        _ fabric: inout NetworkFabric
    ) {
        let number = Self.number(of: handle)
        guard racing.contains(number) else { return }
        dropAttempts(of: number, &stack, &fabric)
        end(number, why, &stack)
        let interface = calls[number].interface
        if !isAwaited(interface) { book.dropLookups(over: interface) }
        setTimer(&fabric)
    }

    /// Handles the end of a network: what it has answered is forgotten.
    mutating func networkChanged(_ interface: Int, _ fabric: inout NetworkFabric) {
        book.forget(UInt16(interface))
        if !isAwaited(UInt16(interface)) { book.dropLookups(over: UInt16(interface)) }
        setTimer(&fabric)
    }

    // MARK: What the network tells

    mutating func arrived(
        _ packet: UnsafePointer<Packet>, from link: Int32, _ stack: inout TCPStack,
        _ fabric: inout NetworkFabric
    ) {
        delivered[Int(link)].add(bytes: Int(packet.pointee.size))
        // A packet with a wrong checksum is discarded (RFC 768).
        guard !packet.pointee.isCorrupted else { return }
        let now = fabric.kernel.now
        let message = NamePackets.Message(packet.pointee)
        let question = NameQuestion(interface: UInt16(link >> 1), family: message.family)
        if NetworkHost.isUplink(link) {
            guard let answer = plan.answer(about: question.family, at: now) else { return }
            replies.append(
                Reply(
                    due: now + plan.answer, interface: question.interface,
                    message: .init(message.family, message.transaction, answer)))
        } else if let answer = message.answer {
            guard book.take(answer, to: question, message.transaction, at: now) else { return }
            learn(answer, to: question, &stack, &fabric)
        }
        setTimer(&fabric)
    }

    /// Handles the timer.
    mutating func wake(_ stack: inout TCPStack, _ fabric: inout NetworkFabric) {
        let now = fabric.kernel.now
        while let reply = replies.first, reply.due <= now {
            replies.removeFirst()
            fabric.send(
                reply.message.packet(at: fabric.kernel.nowNanoseconds),
                on: NetworkHost.server.link(of: Int(reply.interface)))
        }
        while let (lookup, isOver) = book.takeOverdue(at: now) {
            if isOver {
                learn(.silence, to: lookup.question, &stack, &fabric)
            } else {
                send(lookup, &fabric)
            }
        }
        for number in racing { goOn(number, &stack, &fabric) }
        setTimer(&fabric)
    }

    /// Translates an event of the stack for the hosts; `nil` if it does not concern them.
    mutating func heard(
        _ event: NetworkEvent, _ stack: inout TCPStack, _ fabric: inout NetworkFabric
    ) -> NetworkEvent? {
        guard let stream = event.stream, stream.isOpener, !stream.isName, !stream.isPaced
        else { return event }
        let number = owners[stream.connection]
        if calls[number].stream == stream { return event.renamed(Self.handle(of: number)) }
        guard racing.contains(number),
            let place = calls[number].attempts.firstIndex(where: { $0.stream == stream })
        else { return nil }
        switch event {
        case .connected:
            calls[number].attempts.remove(at: place)
            dropAttempts(of: number, &stack, &fabric)
            calls[number].stream = stream
            racing.removeAll { $0 == number }
            setTimer(&fabric)
            return event.renamed(Self.handle(of: number))
        case .ended(_, let why):
            let family = calls[number].attempts.remove(at: place).family
            recordEnd(of: family, why, number, &fabric)
            stack.release(stream, &fabric)
            calls[number].race.failed(family, why)
            goOn(number, &stack, &fabric)
            setTimer(&fabric)
            return nil
        case .accepted, .readable, .roomAvailable, .peerFinished, .timer: return nil
        }
    }

    // MARK: Questions

    private mutating func ask(
        _ question: NameQuestion, for number: Int, _ fabric: inout NetworkFabric
    ) {
        let now = fabric.kernel.now
        if let hasAddress = book.knows(question, at: now) {
            calls[number].race.learn(question.family, hasAddress: hasAddress, at: now)
        } else if let lookup = book.ask(question, at: now) {
            send(lookup, &fabric)
        }
    }

    private func send(_ lookup: AddressBook.Lookup, _ fabric: inout NetworkFabric) {
        fabric.log.record(
            .network(.nameAsked(lookup.question, attempt: lookup.attempt)), at: fabric.kernel.now)
        let message = NamePackets.Message(lookup.question.family, lookup.transaction)
        fabric.send(
            message.packet(at: fabric.kernel.nowNanoseconds),
            on: NetworkHost.client.link(of: Int(lookup.question.interface)))
    }

    private mutating func learn(
        _ answer: NameAnswer, to question: NameQuestion, _ stack: inout TCPStack,
        _ fabric: inout NetworkFabric
    ) {
        let now = fabric.kernel.now
        fabric.log.record(.network(.nameAnswered(question, answer)), at: now)
        for number in racing where calls[number].interface == question.interface {
            calls[number].race.learn(question.family, hasAddress: answer == .address, at: now)
            goOn(number, &stack, &fabric)
        }
    }

    private func isAwaited(_ interface: UInt16) -> Bool {
        racing.contains { calls[$0].interface == interface }
    }

    // MARK: Attempts

    private mutating func goOn(
        _ number: Int, _ stack: inout TCPStack, _ fabric: inout NetworkFabric
    ) {
        while let step = calls[number].race.step(at: fabric.kernel.now) {
            switch step {
            case .attempt(let family): attempt(family, of: number, &stack, &fabric)
            case .giveUp(let why): return end(number, why, &stack)
            }
        }
    }

    private mutating func attempt(
        _ family: AddressFamily, of number: Int, _ stack: inout TCPStack,
        _ fabric: inout NetworkFabric
    ) {
        let call = calls[number]
        let stream = stack.connect(
            from: .client, to: .server, port: call.port, over: Int(call.interface),
            isBackground: call.isBackground,
            address: PeerAddress(family: family, reach: family == .ipv6 ? plan.ipv6 : .open),
            &fabric)
        let connection = stream.connection
        while owners.count <= connection { owners.append(0) }
        owners[connection] = number
        calls[number].attempts.append((family, stream))
        fabric.log.record(
            .connection(
                .attempt(
                    call.name, over: family, interface: call.interface,
                    flow: UInt16(truncatingIfNeeded: connection))),
            at: fabric.kernel.now, app: call.app)
    }

    /// Ends the attempts that another has made needless (RFC 8305 §5).
    private mutating func dropAttempts(
        of number: Int, _ stack: inout TCPStack, _ fabric: inout NetworkFabric
    ) {
        for attempt in calls[number].attempts {
            recordEnd(of: attempt.family, .aborted, number, &fabric)
            stack.abort(attempt.stream, &fabric)
        }
        calls[number].attempts = []
    }

    private func recordEnd(
        of family: AddressFamily, _ why: ConnectionEnd, _ number: Int,
        _ fabric: inout NetworkFabric
    ) {
        fabric.log.record(
            .connection(.attemptEnded(calls[number].name, over: family, why: why)),
            at: fabric.kernel.now, app: calls[number].app)
    }

    private mutating func end(_ number: Int, _ why: ConnectionEnd?, _ stack: inout TCPStack) {
        racing.removeAll { $0 == number }
        if let why { stack.news.append(.ended(Self.handle(of: number), why)) }
    }

    private func setTimer(_ fabric: inout NetworkFabric) {
        let source = EventSource(.timerSlot, Self.slot)
        let times = racing.map { calls[$0].race.deadline } + [replies.first?.due, book.deadline]
        if let next = times.compactMap(\.self).min() {
            let time = max(next, fabric.kernel.now)
            fabric.kernel.set(source, atNanoseconds: time.nanoseconds)
        } else {
            fabric.kernel.cancel(source)
        }
    }

    // MARK: Handles

    private static func handle(of number: Int) -> StreamHandle {
        StreamHandle(index: Int32.min + 2 * Int32(number))
    }

    private static func number(of handle: StreamHandle) -> Int {
        (Int(handle.index) - Int(Int32.min)) / 2
    }
}
