import Quantities
import Testing
import TransferClient
import TransferEngine

/// Behaviour K as an app sees it: managers, uploaders and downloaders.
@Suite struct ResumableTransfersTests {
    private let host = Host()
    private let ear = Ear()

    private func uploader(_ transfers: ResumableTransfers, _ number: UInt64) -> ResumableTransfer {
        transfers.manager(ofBucket: "films", in: "lab").uploader(
            number, of: "a", fromFile: "a.mov", account: Self.account)
    }

    private static let account = Account(
        host: "docroot", port: 80, credentials: CredentialHandle("app"))

    @Test func `a number that the engine refuses is not counted`() {
        let transfers = ResumableTransfers(host: host)
        let huge = uploader(transfers, .max)
        let next = transfers.manager(ofBucket: "films", in: "lab").uploader(
            of: "b", fromFile: "b.mov", account: Self.account)
        #expect([huge, next].map(\.number) == [.max, 1])
    }

    @Test func `a manager lists what has been started and has not ended (K1, K2)`() {
        let transfers = ResumableTransfers(host: host)
        let manager = transfers.manager(ofBucket: "films", in: "lab")
        let upload = uploader(transfers, 1)
        #expect(manager.transfers.isEmpty && upload.status == .noEntry)
        upload.transfer(ear)
        transfers.deliver(.ongoing, of: EntryID(1))
        #expect(manager.transfers.map(\.number) == [1])
        #expect(upload.status == .ongoing)
        transfers.deliver(.suspended(.kii(.suspended)), of: EntryID(1))
        #expect(manager.transfers.count == 1 && upload.status == .suspended)
        transfers.deliver(.ongoing, of: EntryID(1))
        transfers.deliver(.completed, of: EntryID(1))
        #expect(manager.transfers.isEmpty && upload.status == .noEntry)
        #expect(ear.heard == ["1 rests 809", "1 complete"])
    }

    @Test func `a transfer that was started is listed, though the app does not hold it (K1)`() {
        let transfers = ResumableTransfers(host: host)
        let manager = transfers.manager(ofBucket: "films", in: "lab")
        uploader(transfers, 1).transfer(ear)
        uploader(transfers, 2).transfer(ear)
        #expect(!host.commands.contains(.forget(EntryID(1))))
        transfers.deliver(.ongoing, of: EntryID(1))
        #expect(manager.transfers.map(\.number) == [1])
        transfers.deliver(.notInitialised(EntryID(2)))
        #expect(host.commands.last == .forget(EntryID(2)), "a refusal is an answer, too")
        transfers.deliver(.completed, of: EntryID(1))
        #expect(host.commands.last == .forget(EntryID(1)))
        #expect(ear.heard.last == "1 complete")
    }

    @Test func `a sequence has what an observer hears, from any launch on (K10)`() async throws {
        let transfers = ResumableTransfers(host: host)
        let manager = transfers.manager(ofBucket: "films", in: "lab")
        let upload = uploader(transfers, 1)
        let events = upload.events()
        upload.transfer(nil)
        transfers.deliver(.ongoing, of: EntryID(1))
        let info = ResumableTransferInfo(done: ByteCount(1), total: ByteCount(4))
        transfers.deliver(.progress(done: info.done, total: ByteCount(4)), of: EntryID(1))
        transfers.deliver(.suspended(.kii(.suspended)), of: EntryID(1))
        transfers.deliver(EntryRefusal.notInitialised(EntryID(1)))
        var heard: [ResumableTransferEvent] = []
        for await event in events.prefix(3) { heard.append(event) }
        let refusal = EntryRefusal.notInitialised(EntryID(1))
        #expect(
            heard == [.moved(info), .cameToRest(.kii(.suspended)), .refused(refusal)])
        #expect(manager.transfers.count == 1)
    }

    @Test func `the sequences end with their host, also those of later transfers`() async {
        let transfers = ResumableTransfers(host: host)
        let upload = uploader(transfers, 1)
        let before = upload.events()
        transfers.hostHasEnded()
        let music = transfers.manager(ofBucket: "music", in: "lab")
        let later = [
            uploader(transfers, 2),
            music.uploader(3, of: "a", fromFile: "a.mov", account: Self.account),
        ]
        for events in [before, upload.events()] + later.map({ $0.events() }) {
            for await event in events { Issue.record("\(event)") }
        }
    }

    @Test func `a manager belongs to a bucket (K2)`() {
        let transfers = ResumableTransfers(host: host)
        let films = transfers.manager(ofBucket: "films", in: "lab")
        #expect(films === transfers.manager(ofBucket: "films", in: "lab"))
        let music = transfers.manager(ofBucket: "music", in: "lab")
        let upload = uploader(transfers, 1)
        upload.transfer(nil)
        transfers.deliver(.ongoing, of: EntryID(1))
        #expect(films.transfers.count == 1 && music.transfers.isEmpty)
    }

    @Test func `progress comes by callback and stands in the info (K10)`() {
        let transfers = ResumableTransfers(host: host)
        let upload = uploader(transfers, 1)
        upload.transfer(ear)
        transfers.deliver(.ongoing, of: EntryID(1))
        transfers.deliver(.progress(done: ByteCount(5), total: ByteCount(9)), of: EntryID(1))
        #expect(upload.info == ResumableTransferInfo(done: ByteCount(5), total: ByteCount(9)))
        #expect(ear.heard == ["1 at 5"])
    }

    @Test func `a launch lists what the store has kept, and goes on with it (K4)`() {
        let transfers = ResumableTransfers(host: host)
        transfers.deliver([
            EntryRecord(
                id: EntryID(4), bucket: "lab/buckets/films", account: Self.account,
                isDownload: true, path: "b.mov",
                transfer: TransferRecord(
                    id: EntryID(4).transfer, source: "lab/buckets/films/objects/b",
                    destination: "transfers/4.part",
                    fingerprint: SourceFingerprint(size: ByteCount(9), modified: 0)),
                done: ByteCount(5), state: .suspended)
        ])
        let kept = transfers.manager(ofBucket: "films", in: "lab").transfers
        #expect(kept.map(\.object) == ["b"])
        #expect(kept.first?.isDownload == true && kept.first?.status == .suspended)
        #expect(kept.first?.info == ResumableTransferInfo(done: ByteCount(5), total: ByteCount(9)))
        // Others get numbers that none of those has, in any bucket.
        let music = transfers.manager(ofBucket: "music", in: "lab")
        let new = music.uploader(of: "a", fromFile: "a.mov", account: Self.account)
        let newer = music.downloader(of: "c", toFile: "c.mov", account: Self.account)
        #expect([new, newer].map(\.number) == [5, 6])
        kept.first?.transfer(ear)
        let request = EntryRequest(
            account: Self.account, bucket: "lab/buckets/films", object: "b", path: "b.mov",
            isDownload: true)
        #expect(host.commands == [.transfer(EntryID(4), request)])
    }

    @Test func `what is asked goes to the engine, and a refusal comes back (K11)`() {
        let transfers = ResumableTransfers(host: host)
        let upload = uploader(transfers, 1)
        upload.transfer(ear)
        upload.suspend()
        upload.terminate()
        #expect(host.commands.dropFirst() == [.suspend(EntryID(1)), .terminate(EntryID(1))])
        transfers.deliver(.error(EntryID(1), .cannotSuspend))
        #expect(ear.heard == ["1 refused 807"])
        transfers.deliver(.ended(.kii(.terminated)), of: EntryID(1))
        #expect(ear.heard.last == "1 rests 810" && upload.status == .noEntry)
    }

    @Test func `nobody holds a transfer that has ended but the app (K1)`() {
        let transfers = ResumableTransfers(host: host)
        var upload: ResumableTransfer? = uploader(transfers, 1)
        upload?.transfer(nil)
        transfers.deliver(.ongoing, of: EntryID(1))
        upload = nil
        #expect(host.commands.count == 1, "its manager holds it")
        transfers.deliver(.completed, of: EntryID(1))
        #expect(host.commands.last == .forget(EntryID(1)))
    }
}

private final class Host: CommandDoor, @unchecked Sendable {
    let container = "/apps/1"
    var commands: [EntryCommand] = []
    func keep(_: Secret, as _: CredentialHandle) {}
    func submit(_ command: Command) {
        if case .entry(let command) = command { commands.append(command) }
    }
}

private final class Ear: ResumableTransferObserver {
    var heard: [String] = []
    func transferMoved(_ transfer: ResumableTransfer) {
        heard.append("\(transfer.number) at \(transfer.info.done.bytes)")
    }
    func transfer(_ transfer: ResumableTransfer, cameToRestWith error: ResumableError?) {
        heard.append("\(transfer.number) \(error.map { "rests \($0.code)" } ?? "complete")")
    }
    func transfer(_ transfer: ResumableTransfer, refused refusal: EntryRefusal) {
        heard.append("\(transfer.number) refused \(refusal.code ?? 0)")
    }
}
