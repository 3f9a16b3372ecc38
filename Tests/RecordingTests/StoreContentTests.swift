import Quantities
import Recording
import RunLog
import Testing
import TransferEngine

/// The recorder follows what the store should hold, by the requests alone (S7).
@Suite struct StoreContentTests {
    static let first = record(1, failures: 0)
    static let again = record(1, failures: 1)
    static let second = record(2, failures: 0)

    @Test func `the content after a request is that of all records as last asked for`() {
        var recorder = EngineRecorder(launch: 1, restored: [])
        let told = contents(of: &recorder, after: [put(1, Self.first), put(2, Self.second)])
        #expect(told == [digest([Self.first]), digest([Self.first, Self.second])])
        #expect(
            contents(of: &recorder, after: [put(3, Self.again)])
                == [digest([Self.again, Self.second])])
    }

    @Test func `a change that the store refused never was`() {
        var recorder = EngineRecorder(launch: 1, restored: [Self.first])
        _ = contents(of: &recorder, after: [put(1, Self.again)])
        fail(1, &recorder)
        #expect(
            contents(of: &recorder, after: [put(2, Self.second)])
                == [digest([Self.first, Self.second])])
    }

    @Test func `a refusal takes back its own change, not a later one of the same session`() {
        var recorder = EngineRecorder(launch: 1, restored: [Self.first])
        _ = contents(
            of: &recorder, after: [put(1, Self.again), put(2, Self.record(1, failures: 2))])
        fail(1, &recorder)
        fail(2, &recorder)
        #expect(
            contents(of: &recorder, after: [put(3, Self.second)])
                == [digest([Self.first, Self.second])])
    }

    @Test func `resumable transfers are followed beside the sessions`() {
        let entry = EntryRecord(
            id: EntryID(1), bucket: "lab/buckets/b",
            account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            isDownload: false, path: "a",
            transfer: TransferRecord(id: EntryID(1).transfer, source: "a", destination: "b"))
        var both = StoreContentDigest(of: [Self.first])
        both.replace(mark: nil, with: StoreContentDigest.mark(of: entry))
        var recorder = EngineRecorder(launch: 1, restored: [Self.first], [entry])
        let removal = EngineOutput.persist(PersistTicket(1), .removeEntry(EntryID(1)))
        #expect(contents(of: &recorder, after: [removal]) == [digest([Self.first])])
        fail(1, &recorder)
        let again = EngineOutput.persist(PersistTicket(2), .putEntry(entry))
        #expect(contents(of: &recorder, after: [again]) == [both.value])
    }

    @Test func `accounts are followed beside the sessions, and are no items of the store (A9)`() {
        let access = Account(host: "docroot", port: 80, credentials: CredentialHandle("app"))
        let account = AccountRecord(AccountID(1), QueueAccount(access, name: "studio"))
        var other = account
        other.account.name = "archive"
        func digest(with account: AccountRecord) -> UInt64 {
            var digest = StoreContentDigest(of: [Self.first])
            digest.replace(mark: nil, with: StoreContentDigest.mark(of: account))
            return digest.value
        }
        var recorder = EngineRecorder(launch: 1, restored: [Self.first], accounts: [account])
        var log = RunLogSink()
        recorder.recordOpening(after: nil, at: .start, into: &log)
        #expect(
            log.events.map(\.fact) == [
                .store(.opened(launch: 1, content: digest(with: account), sessions: 1))
            ])
        let change = EngineOutput.persist(PersistTicket(1), .putAccount(other))
        #expect(contents(of: &recorder, after: [change]) == [digest(with: other)])
        let removal = EngineOutput.persist(PersistTicket(2), .removeAccount(AccountID(1)))
        #expect(contents(of: &recorder, after: [removal]) == [self.digest([Self.first])])
    }

    @Test func `a store that was set aside is told before it is opened, with what is left`() {
        let setAside = StoreSetAside(
            name: "q.damaged-1", reason: "a flipped bit", lost: [SessionID(2)],
            lastTransfer: TransferID(2))
        var recorder = EngineRecorder(launch: 2, restored: [Self.first])
        var log = RunLogSink()
        recorder.recordOpening(after: setAside, at: .start, into: &log)
        recorder.record(EngineOutput.tell(.storeWasSetAside(setAside)), at: .start, into: &log)
        let content = digest([Self.first])
        recorder.record(.persist(PersistTicket(1), .forgetSetAside), at: .start, into: &log)
        #expect(
            log.events.map(\.fact) == [
                .store(
                    .setAside(
                        as: "q.damaged-1", because: "a flipped bit", kept: [ItemName(1)],
                        lost: [ItemName(2)])),
                .store(.opened(launch: 2, content: content, sessions: 1)),
                .queue(.storeWasSetAside(as: "q.damaged-1")),
                .store(.requested(ticket: 1, content: content, paths: [])),
            ])
    }

    private func put(_ ticket: UInt64, _ record: SessionRecord) -> EngineOutput {
        .persist(PersistTicket(ticket), .put(record))
    }

    private func fail(_ ticket: UInt64, _ recorder: inout EngineRecorder) {
        var log = RunLogSink()
        let input = EngineInput.persistFailed(PersistTicket(ticket), reason: "full")
        recorder.record(input, at: .start, into: &log)
    }

    private func contents(
        of recorder: inout EngineRecorder, after outputs: [EngineOutput]
    ) -> [UInt64] {
        var log = RunLogSink()
        for output in outputs { recorder.record(output, at: .start, into: &log) }
        var contents: [UInt64] = []
        for event in log.events {
            if case .store(.requested(_, let content, _)) = event.fact { contents.append(content) }
        }
        return contents
    }

    private func digest(_ records: [SessionRecord]) -> UInt64 {
        StoreContentDigest(of: records).value
    }

    private static func record(_ number: UInt64, failures: Int) -> SessionRecord {
        SessionRecord(
            id: SessionID(number),
            account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            state: .waiting, failures: failures,
            transfers: [TransferRecord(id: TransferID(number), source: "a", destination: "b")])
    }
}
