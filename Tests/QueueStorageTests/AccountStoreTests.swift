import Device
import Quantities
import Testing
import TransferEngine

@testable import QueueStorage

/// Accounts in the app's store, and sessions that are saved and in no queue (A9, S7).
@Suite struct AccountStoreTests {
    private func opened(
        _ medium: FaultyMedium
    ) throws -> (sessions: [SessionRecord], accounts: [AccountRecord], setAside: StoreSetAside?) {
        var sessions: [SessionRecord] = []
        let store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        let (accounts, setAside) = (store.accounts, store.setAside)
        store.close()
        return (sessions, accounts, setAside)
    }

    private func write(_ changes: [StoreChange], on medium: FaultyMedium) throws {
        var sessions: [SessionRecord] = []
        var store = try QueueStore(at: "queue.db", on: .medium(medium), sessions: &sessions)
        for change in changes { try store.apply(change) }
        store.close()
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a store gives back what was put into it`(seed: UInt64) throws {
        var random = RandomRecords(seed: seed)
        let changes = random.mixedChanges(40)
        let medium = FaultyMedium()
        try write(changes, on: medium)
        let found = try opened(medium)
        let expected = ExpectedRecords().applying(changes)
        let isAsExpected = found.accounts == expected.accounts && found.sessions == expected.records
        #expect(isAsExpected)
        #expect(found.accounts.count > 2)
        #expect(found.sessions.contains { !$0.isEnqueued })
    }

    @Test func `a store of the version before takes them`() throws {
        let old = OldStore.records(version: 8, seed: 3)
        let medium = FaultyMedium()
        try OldStore.write(old, version: 8, at: "queue.db", on: medium)
        var random = RandomRecords(seed: 9)
        let account = random.account(number: 7)
        try write([.putAccount(account)], on: medium)
        let found = try opened(medium)
        #expect(found.accounts == [account])
        #expect(found.sessions == old)
    }

    /// At each write, sync and creation, with the disk as it was and with the power gone.
    @Test(arguments: [nil, 1, 2, 3] as [UInt64?])
    func `a change that is cut off is done or not begun`(power: UInt64?) throws {
        var random = RandomRecords(seed: 5)
        let before = FaultyMedium()
        let (first, second) = (random.account(number: 1), random.account(number: 1))
        try write([.putAccount(first)], on: before)
        let disk = before.detach()
        let changes: [StoreChange] = [.putAccount(second), .removeAccount(AccountID(1))]
        let states = [[first], [second], []]
        let rehearsal = FaultyMedium(disk)
        try write(changes, on: rehearsal)
        var seen: Set<Int> = []
        for operation in rehearsal.operations.indices {
            let cut = FaultyMedium(disk)
            cut.operationsUntilPowerLoss = operation
            _ = try? write(changes, on: cut)
            var left = cut.detach()
            if let power {
                var chance = RandomStream(seed: power, name: "power/\(operation)")
                left.losePower(random: &chance)
            }
            let found = try opened(FaultyMedium(left))
            let state = states.firstIndex(of: found.accounts)
            #expect(state != nil && found.setAside == nil, "cut at \(operation)")
            if let state { seen.insert(state) }
        }
        #expect(seen == [0, 1, 2])
    }

    /// The session remembers what is needed of its account: the next launch makes that of it.
    @Test func `a damaged account is set aside, and its session goes on without it`() throws {
        var random = RandomRecords(seed: 6)
        let (first, second) = (random.account(number: 1), random.account(number: 2))
        var session = random.record(number: 3)
        session.accountID = AccountID(1)
        let medium = FaultyMedium()
        try write([.putAccount(first), .putAccount(second), .put(session)], on: medium)
        do {
            let connection = try SQLiteConnection(path: "queue.db", on: medium)
            try connection.run("UPDATE account SET port = port + 1 WHERE number = 1")
        }
        let found = try opened(medium)
        #expect(found.setAside?.reason == "account 1 is not as it was written")
        #expect(found.setAside?.lost == [])
        #expect(found.accounts == [second])
        #expect(found.sessions == [session])
        #expect(found.setAside?.lostAccounts == [])
    }

    @Test func `one that no session needs is named as lost`() throws {
        var random = RandomRecords(seed: 7)
        let accounts = [random.account(number: 1), random.account(number: 2)]
        let medium = FaultyMedium()
        try write(accounts.map { .putAccount($0) }, on: medium)
        do {
            let connection = try SQLiteConnection(path: "queue.db", on: medium)
            try connection.run("UPDATE account SET port = port + 1 WHERE number = 2")
        }
        for _ in 1...2 {
            let found = try opened(medium)
            #expect(found.setAside?.lostAccounts == [AccountID(2)])
            #expect(found.setAside?.lost == [] && found.setAside?.lostEntries == [])
            #expect(found.accounts == [accounts[0]])
        }
    }
}
