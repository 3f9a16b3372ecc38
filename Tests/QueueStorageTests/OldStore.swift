import Quantities
import TransferEngine

@testable import QueueStorage

/// Stores as earlier versions of the program have written them: their tables in their own words,
/// whatever has become of the tables since.
enum OldStore {
    static let versions = [1, 2, 3, 4, 5, 6, 7]

    /// Version 1 knew no limits of networks, version 2 nothing of stores that are set aside,
    /// version 3 no order but that of the numbers, version 4 no persistent session, version 5 no
    /// resumable transfer, and version 6 no download of the queue.
    static func records(version: Int, seed: UInt64) -> [SessionRecord] {
        var random = RandomRecords(seed: seed)
        return (1...12 as ClosedRange<UInt64>).map { number in
            var record = random.record(number: number)
            if version < 2 { record.limits = [] }
            if version < 4 { (record.rank, record.precedence) = (0, 0) }
            if version < 5 { record.isPersistent = false }
            if version < 7 { record.isDownload = false }
            return record
        }
    }

    static func write(
        _ records: [SessionRecord], version: Int, at name: String, on medium: any StorageMedium
    ) throws {
        let connection = try SQLiteConnection(path: name, on: medium)
        try connection.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = PERSIST; BEGIN")
        let tables = [
            tablesOfVersion1, tablesOfVersion2, tablesOfVersion3, tablesOfVersion4,
            tablesOfVersion5, tablesOfVersion6, tablesOfVersion7,
        ]
        try connection.run(tables[version - 1])
        for record in records {
            try connection.run(insertion(of: record, version: version))
            for (place, transfer) in record.transfers.enumerated() {
                try connection.run(insertion(of: transfer, at: place, of: record.id))
            }
        }
        let content = Int64(bitPattern: StoreContentDigest(of: records).value)
        try connection.run("INSERT INTO content VALUES (\(content)); COMMIT")
    }

    private static func insertion(of record: SessionRecord, version: Int) -> String {
        let account = record.account
        var values = [
            "\(record.id.number)", text(account.host), "\(account.port)",
            text(account.credentials.name), text(record.state.rawValue), "\(record.failures)",
            "\(Int64(bitPattern: StoreContentDigest.mark(of: record)))",
        ]
        if version >= 2 { values.append("\(record.limits.rawValue)") }
        if version >= 4 { values += ["\(record.rank)", "\(record.precedence)"] }
        if version >= 5 { values.append(record.isPersistent ? "1" : "0") }
        if version >= 7 { values.append(record.isDownload ? "1" : "0") }
        return "INSERT INTO session VALUES (\(values.joined(separator: ", ")))"
    }

    private static func insertion(
        of transfer: TransferRecord, at place: Int, of session: SessionID
    ) -> String {
        let fingerprint = transfer.fingerprint
        let values = [
            "\(session.number)", "\(place)", "\(transfer.id.number)", text(transfer.source),
            text(transfer.destination),
            fingerprint.map { "\(Int64(bitPattern: $0.size.bytes))" } ?? "NULL",
            fingerprint.map { "\(Int64(bitPattern: $0.modified))" } ?? "NULL",
            transfer.resource.map(text) ?? "NULL", transfer.isComplete ? "1" : "0",
        ]
        return "INSERT INTO transfer VALUES (\(values.joined(separator: ", ")))"
    }

    /// As hexadecimal digits: nothing in it can be taken for something else.
    private static func text(_ text: String) -> String {
        let digits = text.utf8.map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "CAST(x'\(digits.joined())' AS TEXT)"
    }

    private static let tablesOfVersion1 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 1;
        """

    private static let tablesOfVersion2 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 2;
        """

    private static let tablesOfVersion3 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL,
            last_transfer INTEGER NOT NULL
        ) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 3;
        """

    private static let tablesOfVersion4 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            precedence INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL,
            last_transfer INTEGER NOT NULL
        ) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 4;
        """

    private static let tablesOfVersion5 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            precedence INTEGER NOT NULL,
            is_persistent INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL,
            last_transfer INTEGER NOT NULL
        ) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 5;
        """

    private static let tablesOfVersion6 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            precedence INTEGER NOT NULL,
            is_persistent INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL,
            last_transfer INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE entry (
            number INTEGER PRIMARY KEY,
            bucket TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            is_download INTEGER NOT NULL,
            path TEXT NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            digest INTEGER,
            done INTEGER NOT NULL,
            state TEXT NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 6;
        """

    private static let tablesOfVersion7 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            state TEXT NOT NULL,
            failures INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            network_limits INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            precedence INTEGER NOT NULL,
            is_persistent INTEGER NOT NULL,
            is_download INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE transfer (
            session INTEGER NOT NULL,
            place INTEGER NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE content (marks INTEGER NOT NULL) STRICT;
        CREATE TABLE set_aside (
            name TEXT NOT NULL,
            reason TEXT NOT NULL,
            lost TEXT NOT NULL,
            last_transfer INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE entry (
            number INTEGER PRIMARY KEY,
            bucket TEXT NOT NULL,
            host TEXT NOT NULL,
            port INTEGER NOT NULL,
            credentials TEXT NOT NULL,
            is_download INTEGER NOT NULL,
            path TEXT NOT NULL,
            source TEXT NOT NULL,
            destination TEXT NOT NULL,
            fingerprint_size INTEGER,
            fingerprint_modified INTEGER,
            resource TEXT,
            is_complete INTEGER NOT NULL,
            digest INTEGER,
            done INTEGER NOT NULL,
            state TEXT NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;
        PRAGMA application_id = 1414295923;
        PRAGMA user_version = 7;
        """
}
