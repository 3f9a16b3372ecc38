import Quantities
import Testing

@testable import TransferEngine

/// What the host deletes after a store was set aside, as nobody knows it any more (L5).
@Suite struct AbandonedFilesTests {
    private let account = Account(host: "docroot", port: 80, credentials: CredentialHandle("app"))

    private func download(_ number: UInt64, isComplete: Bool = false) -> TransferRecord {
        TransferRecord(
            id: TransferID(number), source: "in/a", destination: "a", isComplete: isComplete)
    }

    @Test func `of partial files those of the records stay, and all files of the app's own`() {
        let session = SessionRecord(
            id: SessionID(1), account: account, state: .waiting, failures: 0,
            transfers: [download(1), download(2, isComplete: true)], isDownload: true)
        let id = EntryID(5)
        let entry = EntryRecord(
            id: id, bucket: "lab/buckets/films", account: account, isDownload: true, path: "b",
            transfer: TransferRecord(
                id: id.transfer, source: "lab/buckets/films/objects/b",
                destination: PartialFile.path(of: id)))
        let needed = ["transfers/session-1.part", "transfers/5.part"]
        let lost = [
            "transfers/session-2.part", "transfers/session-5.part", "transfers/1.part",
        ]
        let own = [
            "transfers/notes.part", "transfers/session-.part", "transfers/7.mov", "7.part",
            "transfers/a/7.part", "transfers/+7.part", "transfers/07.part", "", "notes/777.mov",
        ]
        let abandoned = TransferEngine.abandonedParts(
            among: needed + lost + own, besides: [session], [entry])
        #expect(abandoned == lost)
    }

    @Test func `of the system's downloads those that an app has still to hear of stay`() {
        let known = TaskRecord(
            id: TaskID(app: 0, number: 1), session: "films", account: account,
            transfer: TransferRecord(
                id: TransferID(1), source: "in/a", destination: "/downloads/one"),
            isDownload: true, state: .finished)
        let abandoned = TransferDaemon.abandonedDownloads(
            among: ["/downloads/one", "/downloads/two"], besides: [known])
        #expect(abandoned == ["/downloads/two"])
    }
}
