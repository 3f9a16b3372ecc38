import Device
import Foundation
import Quantities
import QueueStorage
import Testing
import TransferEngine

@Suite struct StoreRoundTripTests {
    /// The same code on the virtual disk and on a real file.
    enum Ground: CaseIterable { case virtualDisk, realFile }

    @Test(arguments: Ground.allCases, [1, 2, 3] as [UInt64])
    func `a store gives back what it was given, in order, with the digest of it`(
        ground: Ground, seed: UInt64
    ) throws {
        try withPlace(on: ground) { place in
            var records = RandomRecords(seed: seed)
            var expected = ExpectedRecords()
            for _ in 0..<4 {
                var found: [SessionRecord] = []
                var store = try QueueStore(at: "queue.db", on: place, sessions: &found)
                #expect(found == expected.records)
                #expect(store.content == StoreContentDigest(of: expected.records))
                for change in records.changes(20) {
                    try store.apply(change)
                    expected.apply(change)
                }
                #expect(store.content == StoreContentDigest(of: expected.records))
                store.close()
            }
        }
    }

    @Test(arguments: Ground.allCases)
    func `the largest and the smallest values come back`(ground: Ground) throws {
        try withPlace(on: ground) { place in
            let transfer = TransferRecord(
                id: TransferID(.max), source: "", destination: "\u{0}",
                fingerprint: SourceFingerprint(size: ByteCount(.max), modified: .max),
                resource: "", isComplete: true)
            let record = SessionRecord(
                id: SessionID(UInt64(Int64.max)),
                account: Account(host: "", port: .max, credentials: CredentialHandle("")),
                state: .failed, failures: .max, transfers: [transfer])
            var found: [SessionRecord] = []
            var store = try QueueStore(at: "queue.db", on: place, sessions: &found)
            try store.apply(.put(record))
            store.close()
            _ = try QueueStore(at: "queue.db", on: place, sessions: &found)
            #expect(found == [record])
        }
    }

    private func withPlace(
        on ground: Ground, _ body: (QueueStore.Place) throws -> Void
    ) throws {
        switch ground {
        case .virtualDisk: try body(.medium(FaultyMedium()))
        case .realFile: try TemporaryDirectory.with { try body(.directory($0)) }
        }
    }
}
