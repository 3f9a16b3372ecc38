import Quantities
import TransferEngine

/// The statements by which records become rows and rows become records.
struct QueueRows {
    let begin: SQLiteStatement
    let commit: SQLiteStatement
    private let selectMark: SQLiteStatement
    private let putSession: SQLiteStatement
    private let putTransfer: SQLiteStatement
    private let dropTransfers: SQLiteStatement
    private let dropSession: SQLiteStatement
    private let selectContent: SQLiteStatement
    private let putContent: SQLiteStatement

    init(_ connection: borrowing SQLiteConnection) throws(StoreError) {
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        selectMark = try connection.prepare("SELECT mark FROM session WHERE number = ?1")
        putSession = try connection.prepare(
            """
            INSERT INTO session VALUES
                (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                ?19)
            ON CONFLICT (number) DO UPDATE SET
                host = ?2, port = ?3, credentials = ?4, state = ?5, failures = ?6, mark = ?7,
                network_limits = ?8, rank = ?9, precedence = ?10, is_persistent = ?11,
                is_download = ?12, overwrite = ?13, resume = ?14, rate_policy = ?15,
                rate_target = ?16, rate_minimum = ?17, account = ?18, is_enqueued = ?19
            """)
        // Most changes of a session leave most of its files as they were: those rows are not
        // written.
        putTransfer = try connection.prepare(
            """
            INSERT INTO transfer VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT (session, place) DO UPDATE SET
                number = ?3, source = ?4, destination = ?5, fingerprint_size = ?6,
                fingerprint_modified = ?7, resource = ?8, is_complete = ?9,
                digest_coverage = ?10, digest = ?11
            WHERE (number, source, destination, is_complete) IS NOT (?3, ?4, ?5, ?9)
                OR (fingerprint_size, fingerprint_modified, resource) IS NOT (?6, ?7, ?8)
                OR (digest_coverage, digest) IS NOT (?10, ?11)
            """)
        dropTransfers = try connection.prepare(
            "DELETE FROM transfer WHERE session = ?1 AND place >= ?2")
        dropSession = try connection.prepare("DELETE FROM session WHERE number = ?1")
        selectContent = try connection.prepare("SELECT marks FROM content")
        putContent = try connection.prepare("UPDATE content SET marks = ?1")
    }

    /// Writes the record over the one with the same number, if there is one.
    func put(
        _ record: SessionRecord, into content: inout StoreContentDigest
    ) throws(StoreError) {
        let number = Int64(bitPattern: record.id.number)
        let mark = StoreContentDigest.mark(of: record)
        content.replace(mark: try self.mark(ofSession: number), with: mark)

        try putSession.bind(number, to: 1)
        try putSession.bind(record.account.host, to: 2)
        try putSession.bind(Int64(record.account.port), to: 3)
        try putSession.bind(record.account.credentials.name, to: 4)
        try putSession.bind(record.state.rawValue, to: 5)
        try putSession.bind(Int64(record.failures), to: 6)
        try putSession.bind(Int64(bitPattern: mark), to: 7)
        try putSession.bind(Int64(record.limits.rawValue), to: 8)
        try putSession.bind(record.rank, to: 9)
        try putSession.bind(Int64(record.precedence), to: 10)
        try putSession.bind(record.isPersistent ? 1 : 0, to: 11)
        try putSession.bind(record.isDownload ? 1 : 0, to: 12)
        try bind(record.settings)
        try putSession.bind(record.accountID.map { Int64(bitPattern: $0.number) }, to: 18)
        try putSession.bind(record.isEnqueued ? 1 : 0, to: 19)
        try putSession.run()

        for (place, transfer) in record.transfers.enumerated() {
            try put(transfer, session: number, place: Int64(place))
        }
        try dropTransfers.bind(number, to: 1)
        try dropTransfers.bind(Int64(record.transfers.count), to: 2)
        try dropTransfers.run()
    }

    private func bind(_ settings: TransferSettings) throws(StoreError) {
        try putSession.bind(settings.overwrite.rawValue, to: 13)
        try putSession.bind(settings.resume.rawValue, to: 14)
        try putSession.bind(settings.rate.policy.rawValue, to: 15)
        try putSession.bind(Int64(bitPattern: settings.rate.target), to: 16)
        try putSession.bind(Int64(bitPattern: settings.rate.minimum), to: 17)
    }

    /// Nothing if there is no such session.
    func remove(
        _ session: SessionID, from content: inout StoreContentDigest
    ) throws(StoreError) {
        let number = Int64(bitPattern: session.number)
        content.replace(mark: try mark(ofSession: number), with: nil)
        try dropTransfers.bind(number, to: 1)
        try dropTransfers.bind(0, to: 2)
        try dropTransfers.run()
        try dropSession.bind(number, to: 1)
        try dropSession.run()
    }

    func put(_ content: StoreContentDigest) throws(StoreError) {
        try putContent.bind(Int64(bitPattern: content.value), to: 1)
        try putContent.run()
    }

    /// What the sum of all marks was when it was last written.
    func content() throws(StoreError) -> StoreContentDigest {
        defer { selectContent.reset() }
        var content = StoreContentDigest()
        if try selectContent.step() {
            content.replace(mark: nil, with: UInt64(bitPattern: selectContent.number(0)))
        }
        return content
    }

    private func mark(ofSession number: Int64) throws(StoreError) -> UInt64? {
        try selectMark.bind(number, to: 1)
        defer { selectMark.reset() }
        return try selectMark.step() ? UInt64(bitPattern: selectMark.number(0)) : nil
    }

    private func put(
        _ transfer: TransferRecord, session: Int64, place: Int64
    ) throws(StoreError) {
        try putTransfer.bind(session, to: 1)
        try putTransfer.bind(place, to: 2)
        try putTransfer.bind(Int64(bitPattern: transfer.id.number), to: 3)
        try putTransfer.bind(transfer.source, to: 4)
        try putTransfer.bind(transfer.destination, to: 5)
        let fingerprint = transfer.fingerprint
        try putTransfer.bind(fingerprint.map { Int64(bitPattern: $0.size.bytes) }, to: 6)
        try putTransfer.bind(fingerprint.map { Int64(bitPattern: $0.modified) }, to: 7)
        try putTransfer.bind(transfer.resource, to: 8)
        try putTransfer.bind(transfer.isComplete ? 1 : 0, to: 9)
        try putTransfer.bind(transfer.digest?.coverage.rawValue, to: 10)
        try putTransfer.bind(transfer.digest.map { Int64(bitPattern: $0.value) }, to: 11)
        try putTransfer.run()
    }
}

/// All rows of a store on their way back to records, each held against its mark.
struct QueueReader {
    let sessions: SQLiteStatement
    private let transfers: SQLiteStatement
    private let path: String

    init(
        _ connection: borrowing SQLiteConnection, path: String,
        sessions: String = "SELECT * FROM session ORDER BY number",
        transfers: String = "SELECT * FROM transfer ORDER BY session, place"
    ) throws(StoreError) {
        self.path = path
        self.sessions = try connection.prepare(sessions)
        self.transfers = try connection.prepare(transfers)
    }

    /// Both tables are walked once, side by side.
    func records() throws(StoreError) -> [SessionRecord] {
        defer {
            sessions.reset()
            transfers.reset()
        }
        var records: [SessionRecord] = []
        var last: Int64?
        var hasTransfer = try transfers.step()
        while try sessions.step() {
            let number = sessions.number(0)
            try require(last.map { $0 < number } ?? true)
            last = number
            var files: [TransferRecord] = []
            while hasTransfer, transfers.number(0) == number {
                try require(transfers.number(1) == files.count)
                files.append(transfer)
                hasTransfer = try transfers.step()
            }
            guard let record = session(with: files) else {
                throw damaged("session \(number) is not as it was written")
            }
            records.append(record)
        }
        if hasTransfer { throw damaged("a file belongs to no session") }
        return records
    }

    /// The one at which the sessions' statement stands, where that of the files asks for those of
    /// one; `nil` if it is not as it was written.
    func sessionByItself() throws(StoreError) -> SessionRecord? {
        defer { transfers.reset() }
        try transfers.bind(sessions.number(0), to: 1)
        var files: [TransferRecord] = []
        while try transfers.step() {
            try require(transfers.number(1) == files.count)
            files.append(transfer)
        }
        return session(with: files)
    }

    /// Where damaged pages lead to each other in a circle, a walk through them would never end.
    func require(_ isInOrder: Bool) throws(StoreError) {
        guard isInOrder else { throw damaged("its rows are not in their order") }
    }

    func damaged(_ reason: String) -> StoreError { .damaged(path: path, reason: reason) }

    /// `nil` if it is not what its mark was made from.
    private func session(with transfers: [TransferRecord]) -> SessionRecord? {
        guard let state = SessionState(rawValue: sessions.text(4)),
            let port = UInt16(exactly: sessions.number(2)),
            let limits = UInt8(exactly: sessions.number(7)),
            let precedence = UInt32(exactly: sessions.number(9)), let settings
        else { return nil }
        let account = Account(
            host: sessions.text(1), port: port, credentials: CredentialHandle(sessions.text(3)))
        let accountID = sessions.optionalNumber(17).map { AccountID(UInt64(bitPattern: $0)) }
        let record = SessionRecord(
            id: SessionID(UInt64(bitPattern: sessions.number(0))), account: account,
            accountID: accountID, state: state, failures: Int(sessions.number(5)),
            transfers: transfers,
            limits: NetworkLimits(rawValue: limits), rank: sessions.number(8),
            precedence: precedence, isPersistent: sessions.number(10) != 0,
            isDownload: sessions.number(11) != 0, settings: settings,
            isEnqueued: sessions.number(18) != 0)
        let mark = UInt64(bitPattern: sessions.number(6))
        return StoreContentDigest.mark(of: record) == mark ? record : nil
    }

    private var settings: TransferSettings? {
        guard let overwrite = OverwritePolicy(rawValue: sessions.text(12)),
            let resume = ResumePolicy(rawValue: sessions.text(13)),
            let policy = RatePolicy(rawValue: sessions.text(14))
        else { return nil }
        let rate = RateWish(
            policy: policy, target: UInt64(bitPattern: sessions.number(15)),
            minimum: UInt64(bitPattern: sessions.number(16)))
        return TransferSettings(overwrite: overwrite, resume: resume, rate: rate)
    }

    private var transfer: TransferRecord {
        var fingerprint: SourceFingerprint?
        if let size = transfers.optionalNumber(5), let modified = transfers.optionalNumber(6) {
            fingerprint = SourceFingerprint(
                size: ByteCount(UInt64(bitPattern: size)), modified: UInt64(bitPattern: modified))
        }
        var digest: SourceDigest?
        if let coverage = transfers.optionalText(9).flatMap(SourceCoverage.init),
            let value = transfers.optionalNumber(10)
        {
            digest = SourceDigest(coverage, UInt64(bitPattern: value))
        }
        return TransferRecord(
            id: TransferID(UInt64(bitPattern: transfers.number(2))), source: transfers.text(3),
            destination: transfers.text(4), fingerprint: fingerprint, digest: digest,
            resource: transfers.optionalText(7), isComplete: transfers.number(8) != 0)
    }
}
