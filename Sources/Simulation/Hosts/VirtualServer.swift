import Content
import DocrootServer
import Quantities
import Recording
import RunLog
import RunPlan

/// The host of the docroot server: connects it to the virtual network and to its disk.
///
/// A connection has the number of its stream, so that no table is needed.
struct VirtualServer: Sendable {
    private var server: DocrootServer
    private let port: UInt16
    private var docroot = VirtualDocroot()
    private var inputs: [ServerInput] = []
    private var outputs: [ServerOutput] = []
    /// Clients from which the server does not read for a while, so that their windows fill.
    private var held: Set<StreamHandle> = []
    /// Readers with a full send buffer.
    private var waitingForRoom: Set<StreamHandle> = []
    /// Stream in the middle of a body, at most one at a time. Its packets are kept back until
    /// something else happens or the server would answer. The server cannot tell the difference,
    /// and nearly every packet of an upload is one of these.
    private var passage: StreamHandle?
    /// Open connections; the end of the server's process resets them.
    private var open: Set<StreamHandle> = []
    private var visitors: VisitorTable
    private var serverDeadline: Instant?
    /// End of the current outage, and what the next process finds.
    private var outage: Outage?
    /// What a loss of power takes.
    private var chance: RandomStream

    private struct Outage: Sendable {
        let until: Instant
        var keepsStaging = true
        /// Objects that a loss of power has taken.
        var lost: [ObjectPath] = []
    }

    init(_ settings: ServerSettings, port: UInt16, visits: [Visit], seed: UInt64) {
        visitors = VisitorTable(visits)
        chance = RandomStream(seed: seed, name: "server/power")
        server = DocrootServer(settings)
        self.port = port
        // Rules may switch faults on at the start of the run.
        serverDeadline = settings.faults.rules.isEmpty ? nil : .start
    }

    var nextDeadline: Instant? {
        var next = serverDeadline
        if let outage { next.advance(to: outage.until) }
        next.advance(to: visitors.nextDeadline)
        return next
    }

    mutating func accepted(_ handle: StreamHandle, on network: inout SecuredNetwork) {
        deliver(on: &network)
        // The connection was opened to the process that has ended.
        guard outage == nil else { return network.transport.abort(handle) }
        open.insert(handle)
        if let session = network.transport.session(of: handle) {
            take(.heard(session: session), on: &network)
        }
        let client = ClientAddress(
            PacketTap.address(of: network.transport.interface(of: handle)))
        take(.connected(ServerConnectionID(handle), from: client), on: &network)
    }

    mutating func readable(_ handle: StreamHandle, of network: inout SecuredNetwork) {
        guard !held.contains(handle) else { return }
        let goesOn = passage == handle
        if !goesOn { deliver(on: &network) }
        var segments: [Segment] = []
        network.read(handle, into: &segments)
        if !segments.isEmpty {
            take(.received(ServerConnectionID(handle), segments), on: &network)
        }
        passage = handle
        // Clients that take turns have nothing to keep back.
        guard goesOn, !held.contains(handle) else { return }
        network.keepBack(handle, upTo: server.silentBody(on: ServerConnectionID(handle)))
    }

    mutating func roomAvailable(on handle: StreamHandle, of network: inout SecuredNetwork) {
        deliver(on: &network)
        guard waitingForRoom.remove(handle) != nil else { return }
        take(.drained(ServerConnectionID(handle)), on: &network)
    }

    mutating func wake(on network: inout SecuredNetwork) {
        deliver(on: &network)
        if let outage, outage.until <= network.now { comeBack(on: &network) }
        take(.wake, on: &network)
        moveVisitors(on: &network)
    }

    /// Begins a visit of the plan. It gets no answer while the server is down.
    mutating func visit(_ name: String, on network: inout SecuredNetwork) {
        deliver(on: &network)
        guard let (step, fact) = visitors.begin(name, at: network.now) else { return }
        network.log.record(.server(fact), at: network.now)
        if let step { carryOut(step, on: &network) }
        moveVisitors(on: &network)
    }

    private mutating func moveVisitors(on network: inout SecuredNetwork) {
        while let step = visitors.next(at: network.now) { carryOut(step, on: &network) }
    }

    private mutating func carryOut(
        _ step: VisitorTable.Step, on network: inout SecuredNetwork
    ) {
        switch step {
        case .connect(let id):
            guard outage == nil else { return endVisit(id, on: &network) }
            take(.connected(id, from: VisitorTable.address), on: &network)
        case .send(let id, let bytes): take(.received(id, [.bytes(bytes)]), on: &network)
        case .hangUp(let id):
            endVisit(id, on: &network)
            take(.disconnected(id), on: &network)
        }
    }

    private mutating func endVisit(
        _ id: ServerConnectionID, on network: inout SecuredNetwork
    ) {
        for fact in visitors.end(id) { network.log.record(.server(fact), at: network.now) }
    }

    /// Carries out what concerns a visitor; returns false if it concerns somebody else.
    private mutating func carryOutForVisitor(
        _ output: ServerOutput, on network: inout SecuredNetwork
    ) -> Bool {
        guard let id = output.connection, VisitorTable.owns(id) else { return false }
        switch output {
        case .send(_, let segments): answer(id, segments, on: &network)
        case .sendBody(_, let body, let offset, let length):
            answer(
                id, docroot.piece(of: body, at: offset, length: length), on: &network)
            inputs.append(.drained(id))
        case .hold: visitors.hold(id, true)
        case .goOn: visitors.hold(id, false)
        default:
            endVisit(id, on: &network)
            inputs.append(.disconnected(id))
        }
        return true
    }

    private mutating func answer(
        _ id: ServerConnectionID, _ segments: [Segment], on network: inout SecuredNetwork
    ) {
        for fact in visitors.receive(id, segments) {
            network.log.record(.server(fact), at: network.now)
        }
    }

    mutating func switchFault(_ name: String, on isOn: Bool, of network: inout SecuredNetwork) {
        deliver(on: &network)
        take(.fault(name, on: isOn), on: &network)
    }

    /// Handles a client that has finished, or a broken connection: either way, no more bytes come.
    mutating func disconnected(_ handle: StreamHandle, of network: inout SecuredNetwork) {
        deliver(on: &network)
        network.finish(handle)
        held.remove(handle)
        waitingForRoom.remove(handle)
        open.remove(handle)
        take(.disconnected(ServerConnectionID(handle)), on: &network)
    }

    /// Feeds the server the bytes kept back so far. Must come before anything else happens to the
    /// server.
    private mutating func deliver(on network: inout SecuredNetwork) {
        guard let handle = passage else { return }
        passage = nil
        var segments: [Segment] = []
        let latest = network.takeKeptBack(handle, into: &segments)
        guard !segments.isEmpty else { return }
        take(.received(ServerConnectionID(handle), segments), at: latest, on: &network)
    }

    /// Takes turns until the server has no inputs left.
    ///
    /// When clients take turns, each packet of an upload causes one output and one input. A single
    /// element is removed from its list, because copying and clearing the list costs more.
    private mutating func take(
        _ first: ServerInput, at time: Instant? = nil, on network: inout SecuredNetwork
    ) {
        let time = time ?? network.now
        tell(first, at: time, on: &network)
        var next = 0
        while next < inputs.count {
            if inputs.count == 1 {
                tell(inputs.removeLast(), at: time, on: &network)
            } else {
                tell(inputs[next], at: time, on: &network)
                next += 1
            }
        }
        if !inputs.isEmpty { inputs.removeAll(keepingCapacity: true) }
    }

    private mutating func tell(
        _ input: ServerInput, at time: Instant, on network: inout SecuredNetwork
    ) {
        if case .published(let upload, _) = input { docroot.wasTold(of: upload) }
        serverDeadline = server.handle(input, at: time, into: &outputs)
        if outputs.count == 1 {
            carryOut(outputs.removeLast(), on: &network)
        } else {
            for output in outputs {
                if docroot.isDark {
                    goOnInTheDark(output, on: &network)
                } else {
                    carryOut(output, on: &network)
                }
            }
            if !outputs.isEmpty { outputs.removeAll(keepingCapacity: true) }
        }
        if docroot.isDark { powerFails(at: time, on: &network) }
    }

    private mutating func carryOut(_ output: ServerOutput, on network: inout SecuredNetwork) {
        if visitors.hasBegun, carryOutForVisitor(output, on: &network) { return }
        switch output {
        case .stage(let upload, let offset, let segments):
            guard let file = docroot.stage(upload, at: offset, segments) else { return }
            inputs.append(.staged(upload, docroot.confirm(file)))
        case .stageProvisionally(let upload, let offset, let segments):
            docroot.stageProvisionally(upload, at: offset, segments)
        case .count(let upload):
            docroot.count(upload)
            inputs.append(.staged(upload, docroot.confirm(upload)))
        case .truncate(let upload, let offset): docroot.truncate(upload, to: offset)
        case .keep(let record):
            docroot.keep(record)
            inputs.append(.kept(record.id))
        case .publish(let upload, let object):
            switch docroot.publish(upload, as: object, at: wallClock(network)) {
            case .success(let body): inputs.append(.published(upload, body))
            case .failure(let failure): inputs.append(.storeFailed(upload, failure))
            }
        case .discard(let upload): docroot.discard(upload)
        case .ask(let ticket, let request):
            inputs.append(.answered(ticket, docroot.answer(request, at: wallClock(network))))
        case .closeBody(let body): docroot.close(body)
        case .send(let id, let segments): network.send(StreamHandle(id), segments)
        case .sendBody(let id, let body, let offset, let length):
            send(docroot.piece(of: body, at: offset, length: length), on: id, of: &network)
        case .admit(let session):
            network.transport.admit(session.number, session.rates)
        case .hold(let id): held.insert(StreamHandle(id))
        case .goOn(let id): goOn(StreamHandle(id), of: &network)
        case .close(let id): network.finish(StreamHandle(id))
        case .abort(let id):
            open.remove(StreamHandle(id))
            network.transport.abort(StreamHandle(id))
        case .restart(let pause, let keepsStaging):
            goDown(on: &network)
            outage = Outage(until: network.now + pause, keepsStaging: keepsStaging)
        case .failPower(let steps): docroot.stepsWithPower = steps
        case .losePower(let pause):
            goDown(on: &network)
            let lost = docroot.losePower(sparing: &chance)
            outage = Outage(until: network.now + pause, lost: lost)
        case .note(let fact): network.log.record(.server(fact), at: network.now)
        }
    }

    // MARK: Restarts

    private mutating func goDown(on network: inout SecuredNetwork) {
        for handle in open.sorted(by: { $0.index < $1.index }) { network.transport.crash(handle) }
        open = []
        held = []
        waitingForRoom = []
        for fact in visitors.endAll() { network.log.record(.server(fact), at: network.now) }
        // The process that asked is gone.
        inputs = []
        network.transport.stopListening(.server, port: port)
    }

    private mutating func comeBack(on network: inout SecuredNetwork) {
        guard let outage else { return }
        self.outage = nil
        network.transport.listen(.server, port: port)
        let restored = docroot.restore(keepsStaging: outage.keepsStaging)
        guard !docroot.isDark else { return powerFails(at: network.now, on: &network) }
        if case .restored(let uploads, _) = restored {
            inputs = docroot.findings(uploads) + outage.lost.map { .foundLost($0) }
        }
        take(restored, on: &network)
    }

    /// Tells at the run's end what nobody will ever ask for.
    func tellLeftovers(on network: inout SecuredNetwork) {
        guard outage == nil else { return }
        for file in docroot.leftovers(besides: server.knows) {
            network.log.record(.server(.leftOver(file: file)), at: network.now)
        }
    }

    // MARK: Power

    /// Ends the process in the middle of what it wanted.
    private mutating func powerFails(at time: Instant, on network: inout SecuredNetwork) {
        docroot.stepsWithPower = nil
        inputs = []
        tell(.powerFailed, at: time, on: &network)
    }

    /// Records what has ended with the power. The process does nothing more.
    private func goOnInTheDark(_ output: ServerOutput, on network: inout SecuredNetwork) {
        guard case .note(let fact) = output else { return }
        switch fact {
        case .appendEnded, .fault, .faultSwitched:
            network.log.record(.server(fact), at: network.now)
        default: break
        }
    }

    // MARK: Connections

    private mutating func send(
        _ segments: [Segment], on id: ServerConnectionID, of network: inout SecuredNetwork
    ) {
        let handle = StreamHandle(id)
        network.send(handle, segments)
        if network.room(handle) > .zero {
            inputs.append(.drained(id))
        } else {
            waitingForRoom.insert(handle)
        }
    }

    /// Reads from the client again, including bytes that came in the meantime.
    private mutating func goOn(_ handle: StreamHandle, of network: inout SecuredNetwork) {
        guard held.remove(handle) != nil else { return }
        var segments: [Segment] = []
        network.read(handle, into: &segments)
        if !segments.isEmpty {
            inputs.append(.received(ServerConnectionID(handle), segments))
        }
    }

    private func wallClock(_ network: borrowing SecuredNetwork) -> UInt64 {
        network.now.nanoseconds / 1_000_000_000
    }
}

extension ServerConnectionID {
    fileprivate init(_ handle: StreamHandle) { self.init(UInt32(handle.index)) }
}

extension StreamHandle {
    fileprivate init(_ id: ServerConnectionID) { self.init(index: Int32(id.number)) }
}
