package import Quantities

/// What an operator may choose; the defaults are those of a run that nobody disturbs.
package struct ServerSettings: Hashable, Sendable {
    /// What the wall clock showed when the run's clock started, in seconds since 1970.
    package var wallClockAtStart: UInt64
    /// An unfinished upload is reclaimed so long after it was begun; `nil`: never.
    package var uploadLifetime: TimeSpan?
    /// No body may be longer.
    package var bodyLimit: ByteCount
    /// Every answer is told to the log, and who comes and goes.
    package var tellsAnswers: Bool
    /// Who may come; if nobody is named, everybody may do everything.
    package var accounts: [Account]
    /// Signs the addresses of one-shot uploads: 64 bytes at most.
    package var signingKey: [UInt8]
    /// For how long such an address is good.
    package var signatureLifetime: TimeSpan
    /// How long clients are waited for; `nil`: for ever.
    package var patience: Patience?
    package var connectionsLimit: Int
    /// Whether a publication cuts off who reads the old body (K8); `nil` leaves it to the front
    /// end.
    package var breaksReaders: Bool?
    /// What is to go wrong on purpose.
    package var faults: FaultScript
    /// By so many seconds the wall clock is wrong.
    var wallClockSkew: Int64 = 0

    package init(
        wallClockAtStart: UInt64 = 0, uploadLifetime: TimeSpan? = nil,
        bodyLimit: ByteCount = ByteCount(1 << 50), tellsAnswers: Bool = false,
        accounts: [Account] = [], signingKey: [UInt8] = Array("a key that anybody can read".utf8),
        signatureLifetime: TimeSpan = .seconds(900), breaksReaders: Bool? = nil,
        patience: Patience? = nil, connectionsLimit: Int = .max,
        faults: FaultScript = FaultScript()
    ) {
        self.wallClockAtStart = wallClockAtStart
        self.uploadLifetime = uploadLifetime
        self.bodyLimit = bodyLimit
        self.tellsAnswers = tellsAnswers
        self.accounts = accounts
        self.signingKey = signingKey
        self.signatureLifetime = signatureLifetime
        self.breaksReaders = breaksReaders
        self.patience = patience
        self.connectionsLimit = connectionsLimit
        self.faults = faults
    }

    /// A body that is read as a whole: XML, JSON.
    static let documentLimit = 256 * 1024
    /// What is said of the members of a folder, which is in memory as a whole: enough for a hundred
    /// thousand of them.
    static let answerLimit = 64 << 20
    /// So much of an object is handed to the world at once: enough that asking again costs nothing,
    /// and little enough that a reader who is to be stopped is stopped soon.
    static let block = ByteCount(1 << 20)
    /// A client that goes on talking while it is owed an answer is held once so much has gathered.
    static let waitingLimit = ByteCount(64 * 1024)

    /// What the wall clock shows, in seconds since 1970.
    func wallClock(at now: Instant) -> UInt64 {
        let right = Int64(clamping: wallClockAtStart + now.nanoseconds / 1_000_000_000)
        return UInt64(max(0, right + wallClockSkew))
    }

    /// When the wall clock shows so much, if nobody sets it until then.
    func instant(ofWallClock seconds: UInt64) -> Instant {
        let right = Int64(min(seconds, 1 << 62)) - wallClockSkew - Int64(clamping: wallClockAtStart)
        let (nanoseconds, isTooMuch) = UInt64(max(0, right))
            .multipliedReportingOverflow(by: 1_000_000_000)
        return isTooMuch ? .end : Instant(nanoseconds: nanoseconds)
    }
}
