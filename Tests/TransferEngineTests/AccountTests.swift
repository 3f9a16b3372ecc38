import Quantities
import Testing
import TransferEngine

/// Accounts of the queue: saved by hand or with their sessions, kept as long as one refers to them
/// (A9, A10, A18).
@Suite struct AccountTests {
    private static let access = Account(
        host: "docroot", port: 80, credentials: CredentialHandle("app"))
    private static let studio = QueueAccount(access, name: "studio", folder: "studio")

    private static func request(_ account: AccountChoice) -> SessionRequest {
        SessionRequest(
            of: account, [.init(source: "a", destination: "in/a")], isDownload: false,
            settings: QueueBench.plain)
    }

    @Test func `enqueuing saves the account with the session, and once for all of them (A9)`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.enqueue(Self.request(.like(Self.studio))))))
        bench.tell(.command(.queue(.enqueue(Self.request(.like(Self.studio))))))
        let record = AccountRecord(AccountID(1), Self.studio)
        #expect(bench.keptAccounts == [AccountID(1): record])
        #expect(bench.saved == [.account(record)])
        #expect(bench.kept.values.allSatisfy { $0.accountID == AccountID(1) })
        bench.forget()
        bench.kill(isStarted: false)
        #expect(bench.saved == [.holds([record], [])])
    }

    @Test func `the account is asked for before the session: neither is durable without it`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.forget()
        bench.tell(.command(.queue(.enqueue(Self.request(.like(Self.studio))))))
        let changes = bench.outputs.compactMap { output -> String? in
            guard case .persist(_, let change) = output else { return nil }
            if case .putAccount = change { return "account" }
            return "session"
        }
        #expect(changes == ["account", "session"])
    }

    @Test func `an account is saved, changed and deleted by hand, and the app hears of each`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.saveAccount(Self.studio))))
        bench.tell(.command(.queue(.saveAccount(Self.studio))))
        var other = Self.studio
        other.access.host = "elsewhere"
        bench.tell(.command(.queue(.changeAccount(AccountID(1), to: other))))
        bench.tell(.command(.queue(.deleteAccount(AccountID(1)))))
        #expect(
            bench.saved == [
                .account(AccountRecord(AccountID(1), Self.studio)),
                .account(AccountRecord(AccountID(1), Self.studio)),
                .account(AccountRecord(AccountID(1), other)), .accountDeleted(AccountID(1)),
            ])
        #expect(bench.keptAccounts.isEmpty && bench.refusals.isEmpty)
    }

    @Test func `an account cannot be deleted while a session refers to it (A10)`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.enqueue(Self.request(.like(Self.studio))))))
        bench.tell(.command(.queue(.save(Self.request(.saved(AccountID(1)))))))
        bench.forget()
        bench.tell(.command(.queue(.deleteAccount(AccountID(1)))))
        #expect(bench.refusals == [.accountInUse(AccountID(1), by: SessionID(1), of: 2)])
        #expect(
            bench.refusals.first?.message
                == "account 1 is that of session 1 and of 1 more: remove them before it is deleted")
        bench.tell(.command(.queue(.session(.remove, SessionID(1)))))
        bench.tell(.command(.queue(.deleteAccount(AccountID(1)))))
        #expect(bench.refusals.last == .accountInUse(AccountID(1), by: SessionID(2), of: 1))
        #expect(bench.keptAccounts.count == 1)
        bench.tell(.command(.queue(.deleteSession(SessionID(2)))))
        bench.tell(.command(.queue(.deleteAccount(AccountID(1)))))
        #expect(bench.keptAccounts.isEmpty && bench.refusals.count == 2)
    }

    @Test func `a session on its way into the store refers to its account already (A10)`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.saveAccount(Self.studio))))
        bench.isStoreSlow = true
        bench.tell(.command(.queue(.enqueue(Self.request(.saved(AccountID(1)))))))
        bench.tell(.command(.queue(.deleteAccount(AccountID(1)))))
        #expect(bench.refusals == [.accountInUse(AccountID(1), by: SessionID(1), of: 1)])
    }

    @Test func `a session cannot refer to an account that is not there`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.enqueue(Self.request(.saved(AccountID(4)))))))
        bench.tell(.command(.queue(.save(Self.request(.saved(AccountID(4)))))))
        bench.tell(.command(.queue(.changeAccount(AccountID(4), to: Self.studio))))
        bench.tell(.command(.queue(.deleteAccount(AccountID(4)))))
        #expect(bench.refusals == Array(repeating: .noSuchAccount(AccountID(4)), count: 4))
        #expect(bench.kept.isEmpty && bench.keptAccounts.isEmpty)
    }

    static let bad: [(QueueAccount, QueueRefusal)] = [
        (account(host: ""), .accountWithoutHost),
        (account(credentials: ""), .accountWithoutCredentials),
        (account(folder: "../x"), .folderOutsideDocroot("../x")),
        (account(folder: "/x"), .folderOutsideDocroot("/x")),
        (account(folder: "x//y"), .folderOutsideDocroot("x//y")),
    ]

    @Test(arguments: bad) func `an account that lacks something is refused (A18, A13)`(
        account: QueueAccount, refusal: QueueRefusal
    ) {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.saveAccount(Self.studio))))
        bench.tell(.command(.queue(.saveAccount(account))))
        bench.tell(.command(.queue(.changeAccount(AccountID(1), to: account))))
        bench.tell(.command(.queue(.enqueue(Self.request(.like(account))))))
        bench.tell(.command(.queue(.save(Self.request(.like(account))))))
        #expect(bench.refusals == Array(repeating: refusal, count: 4))
        #expect(bench.keptAccounts == [AccountID(1): AccountRecord(AccountID(1), Self.studio)])
        #expect(bench.kept.isEmpty)
    }

    @Test func `remote paths begin in the folder of the account (A13)`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.enqueue(Self.request(.like(Self.studio))))))
        var download = Self.request(.saved(AccountID(1)))
        download.isDownload = true
        bench.tell(.command(.queue(.enqueue(download))))
        let uploaded = bench.kept[SessionID(1)]?.transfers.first
        #expect(uploaded?.source == "a" && uploaded?.destination == "studio/in/a")
        let downloaded = bench.kept[SessionID(2)]?.transfers.first
        #expect(downloaded?.source == "studio/a" && downloaded?.destination == "in/a")
    }

    @Test func `sessions go by their account as it is when they connect`() {
        var bench = QueueBench(sessions: 0)
        bench.tell(.command(.queue(.saveAccount(Self.studio))))
        bench.tell(.command(.queue(.stop)))
        bench.tell(.command(.queue(.enqueue(Self.request(.saved(AccountID(1)))))))
        var moved = Self.studio
        moved.access.host = "elsewhere"
        bench.tell(.command(.queue(.changeAccount(AccountID(1), to: moved))))
        bench.kill()
        let hosts = bench.outputs.compactMap { output -> String? in
            if case .attempt(.connect(_, let account, _)) = output { account.host } else { nil }
        }
        #expect(hosts == ["elsewhere"])
    }

    @Test func `what the store refuses is as it was, and the app hears it`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.saveAccount(Self.studio))))
        bench.forget()
        bench.storeRefuses = true
        var other = Self.studio
        other.name = "other"
        bench.tell(.command(.queue(.saveAccount(other))))
        bench.tell(.command(.queue(.changeAccount(AccountID(1), to: other))))
        bench.tell(.command(.queue(.deleteAccount(AccountID(1)))))
        #expect(bench.refusals == Array(repeating: .accountNotStored("full"), count: 3))
        #expect(bench.saved.isEmpty)
        bench.storeRefuses = false
        bench.tell(.command(.queue(.saveAccount(Self.studio))))
        #expect(bench.saved == [.account(AccountRecord(AccountID(1), Self.studio))])
    }

    @Test func `sessions of a store without accounts get one for each place they go to`() {
        var bench = QueueBench(sessions: 3, isStarted: false)
        bench.changeKept { record in
            record.accountID = nil
            if record.id == SessionID(2) { record.account.port = 81 }
        }
        bench.forgetAccounts()
        bench.kill(isStarted: false)
        #expect(bench.keptAccounts.count == 2)
        let accounts = [1, 2, 3].map { bench.kept[SessionID($0)]?.accountID?.number }
        #expect(accounts == [1, 2, 1])
        bench.forget()
        bench.kill(isStarted: false)
        #expect(!bench.outputs.contains { if case .persist = $0 { true } else { false } })
    }

    @Test func `an account that a disk has eaten comes back by its session, as it was called`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.saveAccount(QueueAccount(Self.access, name: "first")))))
        bench.tell(.command(.queue(.enqueue(Self.request(.like(Self.studio))))))
        bench.forgetAccounts()
        bench.kill(isStarted: false)
        #expect(
            bench.keptAccounts == [
                AccountID(2): AccountRecord(AccountID(2), QueueAccount(Self.access))
            ])
        #expect(bench.kept[SessionID(1)]?.accountID == AccountID(2))
    }

    private static func account(
        host: String = "docroot", credentials: String = "app", folder: String = ""
    ) -> QueueAccount {
        QueueAccount(
            Account(host: host, port: 80, credentials: CredentialHandle(credentials)),
            folder: folder)
    }
}
