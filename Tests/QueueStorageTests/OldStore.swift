import Quantities
import TransferEngine

@testable import QueueStorage

/// Stores as earlier versions of the program have written them: their tables in their own words,
/// whatever has become of the tables since.
enum OldStore {
    static let versions = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

    /// Version 1 knew no limits of networks, version 2 nothing of stores that are set aside,
    /// version 3 no order but that of the numbers, version 4 no persistent session, version 5 no
    /// resumable transfer, version 6 no download of the queue, version 7 no settings, version 8 no
    /// account and no session that is saved and in no queue, version 9 no file that failed, version
    /// 10 no error of a session, and version 11 no TLS.
    static func records(version: Int, seed: UInt64) -> [SessionRecord] {
        var random = RandomRecords(seed: seed)
        return (1...12 as ClosedRange<UInt64>).map { number in
            var record = random.record(number: number)
            if version < 2 { record.limits = [] }
            if version < 4 { (record.rank, record.precedence) = (0, 0) }
            if version < 5 { record.isPersistent = false }
            if version < 7 { record.isDownload = false }
            if version < 12 { record.account.usesTLS = false }
            if version < 11 { record.error = nil }
            if version < 10 {
                for place in record.transfers.indices { record.transfers[place].failure = nil }
            }
            if version < 9 { (record.accountID, record.isEnqueued) = (nil, true) }
            if version < 8 {
                record.settings = TransferSettings(overwrite: .always, resume: .attributes)
                for place in record.transfers.indices { record.transfers[place].digest = nil }
            }
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
            tablesOfVersion5, tablesOfVersion6, tablesOfVersion7, tablesOfVersion8,
            tablesOfVersion9, tablesOfVersion10, tablesOfVersion11, tablesOfVersion12,
        ]
        try connection.run(tables[version - 1])
        for record in records {
            try connection.run(insertion(of: record, version: version))
            for (place, transfer) in record.transfers.enumerated() {
                try connection.run(
                    insertion(of: transfer, at: place, of: record.id, version: version))
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
        if version >= 8 {
            let (settings, rate) = (record.settings, record.settings.rate)
            values += [
                text(settings.overwrite.rawValue), text(settings.resume.rawValue),
                text(rate.policy.rawValue), "\(rate.target)", "\(rate.minimum)",
            ]
        }
        if version >= 9 {
            values.append(record.accountID.map { "\($0.number)" } ?? "NULL")
            values.append(record.isEnqueued ? "1" : "0")
        }
        if version >= 11 { values.append(record.error.map { "\($0.code)" } ?? "NULL") }
        if version >= 12 { values.append(account.usesTLS ? "1" : "0") }
        return "INSERT INTO session VALUES (\(values.joined(separator: ", ")))"
    }

    private static func insertion(
        of transfer: TransferRecord, at place: Int, of session: SessionID, version: Int
    ) -> String {
        let fingerprint = transfer.fingerprint
        var values = [
            "\(session.number)", "\(place)", "\(transfer.id.number)", text(transfer.source),
            text(transfer.destination),
            fingerprint.map { "\(Int64(bitPattern: $0.size.bytes))" } ?? "NULL",
            fingerprint.map { "\(Int64(bitPattern: $0.modified))" } ?? "NULL",
            transfer.resource.map(text) ?? "NULL", transfer.isComplete ? "1" : "0",
        ]
        if version >= 8 {
            values.append(transfer.digest.map { text($0.coverage.rawValue) } ?? "NULL")
            values.append(transfer.digest.map { "\(Int64(bitPattern: $0.value))" } ?? "NULL")
        }
        if version >= 10 { values.append(transfer.failure.map { "\($0.code)" } ?? "NULL") }
        return "INSERT INTO transfer VALUES (\(values.joined(separator: ", ")))"
    }

    /// As hexadecimal digits: nothing in it can be taken for something else.
    private static func text(_ text: String) -> String {
        let digits = text.utf8.map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "CAST(x'\(digits.joined())' AS TEXT)"
    }
}
