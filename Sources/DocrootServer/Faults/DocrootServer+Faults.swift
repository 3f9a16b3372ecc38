import Facts
import Protocols
import Quantities

/// Carries out the script's faults on requests and answers, and on the server as a whole.
///
/// A request has four places where something can go wrong: before it is read, in its body, when its
/// answer is ready, and in an object that is sent. Each place asks the machine for the rules that
/// take effect, and carries them out.
extension DocrootServer {
    // MARK: Switching

    /// The state of the script's rules.
    package var faultStatus: [FaultStatus] { faults.status }

    mutating func switchFault(_ index: Int, on isOn: Bool) {
        let state = faults.rules[index]
        guard state.isOn != isOn else { return }
        note(.faultSwitched(state.rule.name, on: isOn))
        guard isOn else {
            if faults.failing == index {
                faults.stopFailing()
                outputs.append(.failPower(after: nil))
            }
            for id in faults.switchOff(index) { resume(id) }
            return setClock()
        }
        faults.switchOn(index)
        setClock()
        guard state.rule.point.kind == .switching else { return }
        switch state.rule.fault {
        case .clock(let seconds): tell(index, "the clock is wrong by \(seconds) s", on: nil)
        case .losePower: _ = losePower(by: index, on: nil)
        default: restart(by: index, on: nil)
        }
    }

    /// Sets the wall clock; expiries move with it.
    private mutating func setClock() {
        guard settings.wallClockSkew != faults.clockSkew else { return }
        settings.wallClockSkew = faults.clockSkew
        scheduleExpiry()
    }

    /// Carries out what the script has planned up to now.
    mutating func playFaults() {
        while let switching = faults.nextSwitching(at: now) {
            switchFault(switching.rule, on: switching.isOn)
        }
        for id in faults.resumptions(at: now) { resume(id) }
    }

    private mutating func resume(_ id: ServerConnectionID) {
        switch exchanges[id]?.state {
        case .stalled(let upload):
            exchanges[id]?.state = .appending(upload)
            exchanges[id]?.lastProgress = now
            advance(id)
        case .withheld(let answer):
            exchanges[id]?.state = .idle
            switch answer.content {
            case .bytes(let body): respond(Answer(answer.head, body: body), on: id)
            case .object(let download, let version):
                startSending(download, answer.head, version: version, on: id)
            }
        case .sending:
            exchanges[id]?.lastProgress = now
            goOnSending(on: id)
        case .idle, .asking, .gathering, .appending, .discarding, .answering, nil: break
        }
    }

    // MARK: Effects

    /// Notes that a rule has taken effect.
    mutating func tell(_ index: Int, _ effect: String, on id: ServerConnectionID?) {
        faults.count(index)
        note(
            .fault(
                faults.rules[index].rule.name,
                connection: id.map { faults.ordinal(of: $0) },
                client: settings.tellsAnswers
                    ? id.flatMap { exchanges[$0]?.client.description } : nil,
                request: id.flatMap { faults.requests[$0]?.words }, effect: effect))
    }

    /// Restarts the server: the world makes another process. Only the run's own records survive.
    mutating func restart(by index: Int, on id: ServerConnectionID?) {
        guard case .restart(let pause, let keepsStaging) = faults.rules[index].rule.fault else {
            preconditionFailure("\(faults.rules[index].rule.fault) is no restart")
        }
        // The server is down: there is no process to end, and nothing in its memory.
        guard restartedBy == nil else {
            tell(index, "the server is down already", on: id)
            return endSwitching(index)
        }
        let outage = pause == .zero ? "restarts" : "is down for \(pause)"
        let staging = keepsStaging ? "kept" : "lost"
        tell(index, "the server \(outage), and what is staged is \(staging)", on: id)
        endProcess(by: index, keepsStaging: keepsStaging)
        outputs.append(.restart(after: pause, keepsStaging: keepsStaging))
    }

    /// Ends the process and everything in its memory.
    mutating func endProcess(by index: Int, keepsStaging: Bool) {
        for id in exchanges.keys.sorted(by: { $0.number < $1.number }) { tellEnd(of: id) }
        tellUploads(keptStaging: keepsStaging)
        let (faults, versions) = (faults, versions)
        let (settings, now, outputs) = (settings, now, outputs)
        self = DocrootServer(settings)
        self.outputs = outputs
        self.faults = faults
        self.faults.disconnectedAll()
        self.versions = versions
        self.now = now
        restartedBy = index
    }

    /// Notes what a restart does to uploads: writers end, and staged bytes may be lost.
    private mutating func tellUploads(keptStaging: Bool) {
        for upload in uploads.values.sorted(by: { $0.id.number < $1.id.number }) {
            if upload.writer != nil, upload.isResumable {
                note(.appendEnded(upload.name, staged: upload.staged, complete: false))
            }
            guard !keptStaging else { continue }
            note(.discarded(upload.name, why: "it was lost in a restart"))
        }
    }

    /// Continues as the next process, with what is on the disk.
    mutating func comeBack(by index: Int, with count: Int) {
        restartedBy = nil
        let name = faults.rules[index].rule.name
        note(
            .fault(
                name, connection: nil, client: nil, request: nil,
                effect: "\(ServerFact.isBack), uploads found: \(count)"))
        endSwitching(index)
    }

    /// Switches a restart off that was requested by hand, so that it can be requested again.
    mutating func endSwitching(_ index: Int) {
        if faults.rules[index].rule.point.kind == .switching { switchFault(index, on: false) }
    }

    /// Returns the error of a server that fails by `answer`.
    func failure(_ status: Int, _ retryAfter: Fault.RetryAfter?) -> HTTPError {
        let value: String? =
            switch retryAfter {
            case .seconds(let count): "\(count)"
            case .date(let count): HTTPDate.text(settings.wallClock(at: now) + count)
            case nil: nil
            }
        return HTTPError(
            status, "this is a fault, on purpose", fields: value.map { [("Retry-After", $0)] } ?? []
        )
    }

    /// Ends a connection, by a reset or in order, and notes the effect on the client.
    mutating func cut(_ id: ServerConnectionID, by index: Int, _ effect: String) {
        let isReset = faults.rules[index].rule.fault != .close
        tell(index, "the connection is \(isReset ? "reset" : "closed") \(effect)", on: id)
        outputs.append(isReset ? .abort(id) : .close(id))
        disconnected(id, because: "a fault cut it off")
    }

    /// Pauses a client, until the rule is switched off if no time is given.
    mutating func pause(_ id: ServerConnectionID, by index: Int, for time: TimeSpan?) {
        faults.pause(id, by: index, until: time.map { now + $0 } ?? .end)
    }
}
