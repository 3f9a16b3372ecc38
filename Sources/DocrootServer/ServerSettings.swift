package import Quantities

/// Settings for an operator; the defaults disturb nothing.
package struct ServerSettings: Hashable, Sendable {
    /// The wall clock at the start of the run, in seconds since 1970.
    package var wallClockAtStart: UInt64
    /// The time until an unfinished upload is reclaimed; `nil` means never.
    package var uploadLifetime: TimeSpan?
    /// The longest body.
    package var bodyLimit: ByteCount
    /// Whether the log is told of every answer, and of clients that come and go.
    package var tellsAnswers: Bool
    /// Accounts; without any, everybody may do everything.
    package var accounts: [ServerUser]
    /// The key that signs the addresses of one-shot uploads; at most 64 bytes.
    package var signingKey: [UInt8]
    /// How long a signed address is valid.
    package var signatureLifetime: TimeSpan
    /// How long the server waits for clients; `nil` means for ever.
    package var patience: Patience?
    package var connectionsLimit: Int
    /// The UDP port of the paced transport; `nil` if it is not offered.
    package var pacedPort: UInt16?
    /// Random for each process that seals the packets of that transport.
    package var identity: UInt64 = 0
    /// Whether a publication cuts off readers of the old body (K8); `nil` leaves that to the front
    /// end.
    package var breaksReaders: Bool?
    /// The script of faults.
    package var faults: FaultScript
    /// The error of the wall clock in seconds.
    var wallClockSkew: Int64 = 0

    package init(
        wallClockAtStart: UInt64 = 0, uploadLifetime: TimeSpan? = nil,
        bodyLimit: ByteCount = ByteCount(1 << 50), tellsAnswers: Bool = false,
        accounts: [ServerUser] = [],
        signingKey: [UInt8] = Array("a key that anybody can read".utf8),
        signatureLifetime: TimeSpan = .seconds(900), breaksReaders: Bool? = nil,
        patience: Patience? = nil, connectionsLimit: Int = .max, pacedPort: UInt16? = nil,
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
        self.pacedPort = pacedPort
        self.faults = faults
    }

    /// The longest body that is read as a whole, such as XML or JSON.
    static let documentLimit = 256 * 1024
    /// The number of sessions of the paced transport that clients may ask about.
    static let rememberedSessions = 4_096
    /// The longest list of a folder's members, which is kept in memory: enough for a hundred
    /// thousand.
    static let answerLimit = 64 << 20
    /// The size of a block of an object: large enough that asking again costs little, and small
    /// enough that a reader can be stopped soon.
    var block: ByteCount { patience == nil ? ByteCount(1 << 20) : Self.smallBlock }
    /// The size of a block where the server waits only so long for room: a slow reader, who takes
    /// bytes all the time, must have taken one by then.
    private static let smallBlock = ByteCount(64 << 10)
    /// The limit of waiting bytes beyond which a client is held that is owed an answer.
    static let waitingLimit = ByteCount(64 * 1024)

    /// The wall clock, in seconds since 1970.
    func wallClock(at now: Instant) -> UInt64 {
        let right = Int64(clamping: wallClockAtStart + now.nanoseconds / 1_000_000_000)
        return UInt64(max(0, right + wallClockSkew))
    }

    /// The moment at which the wall clock shows these seconds, unless it is set before.
    func instant(ofWallClock seconds: UInt64) -> Instant {
        let right = Int64(min(seconds, 1 << 62)) - wallClockSkew - Int64(clamping: wallClockAtStart)
        let (nanoseconds, isTooMuch) = UInt64(max(0, right))
            .multipliedReportingOverflow(by: 1_000_000_000)
        return isTooMuch ? .end : Instant(nanoseconds: nanoseconds)
    }
}
