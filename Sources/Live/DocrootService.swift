import Capture
package import DocrootServer
import Glibc
import Protocols
package import Quantities
package import RunLog
import TransferHost

/// The operator's settings of a stand-alone server.
package struct ServiceSettings: Sendable {
    package var docroot: String
    package var address: String
    /// 0 lets the system choose.
    package var port: UInt16
    /// Whether acknowledged data survives a loss of power.
    package var isDurable: Bool
    package var uploadLifetime: TimeSpan
    /// The accounts that may use the server; if empty, everybody may do everything.
    package var accounts: [ServerUser]
    /// Whether a publication disconnects readers of the old body; `nil` leaves it to the front end.
    package var breaksReaders: Bool?
    /// Faults that are injected.
    package var faults: FaultScript
    /// The port of the status page; 0 lets the system choose.
    package var statusPort: UInt16
    /// How its packets are captured; `nil`: not at all.
    package var capture: CapturePlan?
    /// The folder of its certificate and key, which are made if they are missing; `nil`: its
    /// clients speak plainly.
    package var identityFolder: String?

    package init(
        docroot: String, address: String, port: UInt16, isDurable: Bool, uploadLifetime: TimeSpan,
        accounts: [ServerUser], breaksReaders: Bool?, faults: FaultScript = FaultScript(),
        statusPort: UInt16 = 0, capture: CapturePlan? = nil, identityFolder: String? = nil
    ) {
        self.identityFolder = identityFolder
        self.docroot = docroot
        self.address = address
        self.port = port
        self.isDurable = isDurable
        self.uploadLifetime = uploadLifetime
        self.accounts = accounts
        self.breaksReaders = breaksReaders
        self.faults = faults
        self.statusPort = statusPort
        self.capture = capture
    }
}

/// The docroot server on its own: a folder that real clients can reach until somebody stops it.
///
///     serving ──▶ stopping (requests under way may finish, for some seconds at most) ──▶ over
package final class DocrootService {
    private let clock = MachineClock()
    private let interruption: Interruption
    /// A lock on the folder: two servers would give uploads the same numbers.
    private let claim: Descriptor
    private var loop: EventLoop
    private var host: LiveServerHost
    private var desk: StatusDesk
    private var tap: CaptureTap?
    private let show: (ServiceStatus, StatusFormat) -> [UInt8]
    private var stopsBy: Instant?

    /// How long requests under way may take after the server is stopped.
    private static let grace = TimeSpan.seconds(5)

    /// `show` renders the status page.
    package init(
        _ settings: ServiceSettings, into log: inout RunLogSink,
        show: @escaping (ServiceStatus, StatusFormat) -> [UInt8]
    ) throws(LiveError) {
        self.show = show
        claim = try Self.claim(settings)
        let identity = settings.identityFolder.map(ServerIdentity.init)
        let listener = try Self.listen(
            at: settings.address, settings.port, for: .clients,
            securedBy: try identity.map { (identity) throws(LiveError) in
                try Self.security(of: identity, at: settings.address)
            })
        let statusListener = try Self.listen(
            at: TCPListener.host, settings.statusPort, for: .status)
        tap = try Self.tap(of: listener.port, settings)
        do throws(SystemError) {
            loop = try EventLoop()
            interruption = try Interruption()
            try loop.watch(
                interruption.descriptor, as: .init(kind: .interruption), for: .readable)
            if let descriptor = tap?.descriptor {
                try loop.watch(descriptor, as: .init(kind: .capture), for: .readable)
            }
            let place = LiveDocroot.Place(
                docroot: settings.docroot, workshop: Self.workshop(of: settings),
                isDurable: settings.isDurable)
            host = try LiveServerHost(
                at: place,
                ServerSettings(
                    wallClockAtStart: clock.wallNanosecondsAtStart / 1_000_000_000,
                    uploadLifetime: settings.uploadLifetime, tellsAnswers: true,
                    accounts: settings.accounts,
                    signingKey: try Self.signingKey(in: place.workshop),
                    breaksReaders: settings.breaksReaders,
                    patience: Patience(request: .seconds(60), progress: .seconds(60)),
                    connectionsLimit: Self.connectionsLimit(), pacedPort: listener.port,
                    faults: settings.faults),
                listener: listener, versions: [], on: loop)
            desk = try StatusDesk(statusListener, on: loop)
        } catch {
            throw .system(error)
        }
        let (address, docroot) = (settings.address, settings.docroot)
        log.record(
            .server(.listening(address: address, port: host.port, docroot: docroot)),
            at: clock.now)
        log.record(
            .server(.statusShown(at: "http://\(TCPListener.host):\(desk.port)/")), at: clock.now)
        if let identity {
            log.record(.server(.certificateKept(in: identity.certificate)), at: clock.now)
        }
    }

    package var now: Instant { clock.now }

    /// The wall clock at the start of the service's own clock.
    package var wallNanosecondsAtStart: UInt64 { clock.wallNanosecondsAtStart }

    // MARK: What it needs

    /// The workshop is beside the objects, so that a rename can publish from it. Readers never see
    /// it.
    private static func workshop(of settings: ServiceSettings) -> String {
        settings.docroot + "/" + ObjectPath.reserved
    }

    private static func claim(_ settings: ServiceSettings) throws(LiveError) -> Descriptor {
        do throws(SystemError) {
            let workshop = workshop(of: settings)
            guard mkdir(workshop, 0o700) == 0 || errno == EEXIST else {
                throw SystemError("make \(workshop)")
            }
            let claim = try Descriptor(opening: workshop, O_RDONLY | O_DIRECTORY)
            guard flock(claim.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                throw SystemError("serve \(settings.docroot), because another server is serving it")
            }
            for account in settings.accounts {
                let root = try Descriptor(opening: settings.docroot, O_RDONLY | O_DIRECTORY)
                _ = try ConfinedFolder(account.docroot, under: root, makes: true)
            }
            return claim
        } catch {
            throw .system(error)
        }
    }

    private static func listen(
        at address: String, _ port: UInt16, for visitors: LiveError.Visitors,
        securedBy security: SecureContext? = nil
    ) throws(LiveError) -> TCPListener {
        do throws(SystemError) {
            return try TCPListener(host: address, port: port, securedBy: security)
        } catch {
            throw error.code == EADDRINUSE ? .portInUse(port, for: visitors) : .system(error)
        }
    }

    /// Reads the certificate and the key, or makes both.
    private static func security(
        of identity: ServerIdentity, at address: String
    ) throws(LiveError) -> SecureContext {
        do throws(SecurityError) {
            if !identity.exists {
                try identity.make(
                    for: [TCPListener.host, address], names: ["localhost", machineName])
            }
            return try SecureContext.server(as: identity)
        } catch {
            throw .security(error)
        }
    }

    private static var machineName: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func tap(
        of port: UInt16, _ settings: ServiceSettings
    ) throws(LiveError) -> CaptureTap? {
        guard let plan = settings.capture else { return nil }
        do throws(CaptureError) {
            return try CaptureTap(
                port: port, on: CapturePlan.interface(for: settings.address), plan)
        } catch {
            throw .noCapture(reason: "\(error)")
        }
    }

    /// The number of connections that the system allows.
    private static func connectionsLimit() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Each client may have an open file and a staging file besides.
        return Int(clamping: limit.rlim_cur / 3)
    }

    /// Reads or makes the key of signed addresses, which stay valid after a restart.
    private static func signingKey(in workshop: String) throws(SystemError) -> [UInt8] {
        let place = workshop + "/signing-key"
        if access(place, F_OK) == 0 {
            let key = try Descriptor(opening: place, O_RDONLY).bytes(atMost: 32)
            if key.count == 32 { return key }
        }
        let key = try Descriptor(opening: "/dev/urandom", O_RDONLY).bytes(atMost: 32)
        let file = try Descriptor(opening: place, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
        try file.write(key, at: 0)
        try file.synchronise()
        return key
    }

    private func answer(_ request: StatusRequest) throws(HTTPError) -> StatusAnswer {
        let status = host.status
        switch request {
        case .show(let format): return StatusAnswer(show(status, format), as: format)
        case .switchFault(let name, let isOn):
            guard status.faults.contains(where: { $0.name == name }) else {
                throw HTTPError(404, "the script has no fault “\(name)”")
            }
            host.switchFault(name, on: isOn)
            return .done
        }
    }

    /// Waits until something happens, and handles it. Returns false once the server was stopped.
    package func advance(into log: inout RunLogSink) throws(LiveError) -> Bool {
        do throws(SystemError) {
            let deadline = [host.nextDeadline, desk.nextDeadline, stopsBy].compactMap { $0 }.min()
            for ready in try loop.wait(until: host.isBusy ? clock.now : deadline, by: clock) {
                switch ready.source.kind {
                case .interruption:
                    loop.forget(interruption.descriptor)
                    host.stop(on: loop)
                    stopsBy = clock.now + Self.grace
                case .statusListener, .statusVisitor:
                    try desk.serve(ready, on: loop, by: clock, answer: answer)
                // The capture is read in every turn.
                case .capture: break
                default: try host.serve(ready, on: loop, by: clock, into: &log)
                }
            }
        } catch {
            throw .system(error)
        }
        host.endTurn(on: loop, by: clock, into: &log)
        desk.endTurn(on: loop, by: clock)
        // Nobody here asks for the ends of connections, and they must not pile up.
        _ = host.takeEnds()
        watchCapture(into: &log)
        guard let stopsBy, host.isQuiet || clock.now >= stopsBy else { return true }
        finishCapture(into: &log)
        return false
    }

    // MARK: The capture

    private func watchCapture(into log: inout RunLogSink) {
        do throws(CaptureError) { _ = try tap?.take(by: clock, into: &log) } catch {
            endCapture(because: error, into: &log)
        }
    }

    private func finishCapture(into log: inout RunLogSink) {
        do throws(CaptureError) {
            guard let missed = try tap?.finish(by: clock, into: &log), missed > 0 else { return }
            log.record(
                .run(
                    .limited(
                        what: "the capture missed \(missed) packets",
                        remedy: "keep less of each packet with --snap-length")),
                at: clock.now)
        } catch {
            endCapture(because: error, into: &log)
        }
    }

    /// Ends the capture; clients are still served.
    private func endCapture(because error: CaptureError, into log: inout RunLogSink) {
        if let descriptor = tap?.descriptor { loop.forget(descriptor) }
        tap = nil
        log.record(
            .run(
                .limited(
                    what: "the capture ends here: \(error.what)",
                    remedy: error.remedy ?? "check that the interface is up and the disk has space")
            ),
            at: clock.now)
    }
}
