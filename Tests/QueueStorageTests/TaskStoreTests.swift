import Device
import Protocols
import Quantities
import Simulation
import Testing
import TransferEngine

@testable import QueueStorage

@Suite struct TaskStoreTests {
    private let records = [
        TaskRecord(
            id: TaskID(app: 0, number: 1), session: "films",
            account: Account(host: "there", port: 80, credentials: CredentialHandle("app")),
            transfer: TransferRecord(
                id: TaskID(app: 0, number: 1).transfer, source: "a.mov", destination: "in/a.mov",
                fingerprint: SourceFingerprint(size: ByteCount(7), modified: .max),
                resource: "a key"),
            limits: .noCellular,
            configuration: BackgroundConfiguration(isDiscretionary: true), state: .finished,
            failures: 3,
            notBefore: .start + .seconds(60), deadline: .start + .seconds(600),
            outcome: .failed(.timedOut), installation: 7),
        TaskRecord(
            id: TaskID(app: 2, number: 1), session: "",
            account: Account(host: "", port: 0, credentials: CredentialHandle("")),
            transfer: TransferRecord(
                id: TaskID(app: 2, number: 1).transfer, source: "", destination: "",
                isComplete: true), isDownload: true),
        TaskRecord(
            id: TaskID(app: 2, number: 2), session: "films",
            account: Account(host: "there", port: 80, credentials: CredentialHandle("app")),
            transfer: TransferRecord(
                id: TaskID(app: 2, number: 2).transfer, source: "b.mov", destination: "b.mov",
                resource: "/uploads/1"), isResumable: true),
        Self.askedForMore,
    ]

    /// A task with all that an app can say of it, which was answered.
    private static var askedForMore: TaskRecord {
        var record = TaskRecord(
            id: TaskID(app: 2, number: 3), session: "songs",
            account: Account(host: "there", port: 80, credentials: CredentialHandle("app")),
            transfer: TransferRecord(
                id: TaskID(app: 2, number: 3).transfer, source: "/dav/a?b", destination: "/a"),
            isDownload: true, limits: .noMetered,
            configuration: BackgroundConfiguration(
                limits: .noLowData, isDiscretionary: true, requestTimeout: .seconds(7),
                resourceTimeout: .seconds(70), sendsLaunchEvents: false),
            state: .finished,
            outcome: .answered(
                TaskResponse(207, fields: HTTPFields([("A", "b: c"), ("D", "")]))))
        record.method = "REPORT"
        record.fields = HTTPFields([("Accept", "*/*"), ("X", "y")])
        record.answer = [0, 255]
        record.keepsPart = true
        record.isTold = true
        return record
    }

    @Test func `tasks are found as they were put, and gone when they are removed (S7)`() throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        var found: [TaskRecord] = []
        var store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        #expect(found == [])
        for record in records.reversed() { try store.apply(.put(record)) }
        _ = consume store
        store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        #expect(found == records)
        try store.apply(.remove(records[0].id))
        _ = consume store
        store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        #expect(found == Array(records.dropFirst()))
    }

    @Test func `how long an app's tasks wait is found as it was put (B11)`() throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        var found: [TaskRecord] = []
        var store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        let empty = store.content
        let long = BackgroundDelay(of: 3, .seconds(240))
        try store.apply(.delay(BackgroundDelay(of: 3, .seconds(120))))
        try store.apply(.delay(BackgroundDelay(of: 1, .seconds(120))))
        try store.apply(.delay(long))
        try store.apply(.delay(BackgroundDelay(of: 1, BackgroundDelay.first)))
        let content = store.content
        #expect(content == StoreContentDigest(of: [], delays: [long]) && content != empty)
        _ = consume store
        store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        #expect(store.delays == [long] && store.content == content && store.setAside == nil)
        try store.apply(.delay(BackgroundDelay(of: 3, BackgroundDelay.first)))
        #expect(store.content == empty)
    }

    @Test func `a delay that somebody has changed is damage`() throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        var found: [TaskRecord] = []
        var store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        try store.apply(.delay(BackgroundDelay(of: 3, .seconds(240))))
        _ = consume store
        do {
            let connection = try SQLiteConnection(path: TaskStore.name, on: medium)
            try connection.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = PERSIST")
            try connection.run("UPDATE delay SET nanoseconds = nanoseconds + 1")
        }
        store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        #expect(store.setAside?.reason == "some of its rows are missing")
        #expect(store.delays == [])
    }

    @Test func `a directory of this machine keeps them as well`() throws {
        try TemporaryDirectory.with { directory in
            var found: [TaskRecord] = []
            var store = try TaskStore(
                at: TaskStore.name, on: .directory(directory), tasks: &found)
            for record in records { try store.apply(.put(record)) }
            _ = consume store
            store = try TaskStore(at: TaskStore.name, on: .directory(directory), tasks: &found)
            #expect(found == records)
        }
    }

    @Test(arguments: [TaskState.running, .finished])
    func `a task without an end that has one, or the other way round, is damage`(state: TaskState)
        throws
    {
        let medium = VirtualDiskMedium(VirtualDisk())
        var found: [TaskRecord] = []
        var store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        var record = records[0]
        record.state = state
        if state == .finished { record.outcome = nil }
        try store.apply(.put(record))
        _ = consume store
        store = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &found)
        #expect(found == [])
        #expect(
            store.setAside
                == TaskStoreSetAside(
                    name: "tasks.sqlite.damaged-1", reason: "task 1 cannot be read",
                    lost: [record.id]))
    }

    @Test func `another's file is left alone`() throws {
        let medium = VirtualDiskMedium(VirtualDisk())
        var sessions: [SessionRecord] = []
        _ = try QueueStore(at: "tasks.sqlite", on: .medium(medium), sessions: &sessions)
        var tasks: [TaskRecord] = []
        #expect(throws: StoreError.notAStore(path: "tasks.sqlite")) {
            _ = try TaskStore(at: TaskStore.name, on: .medium(medium), tasks: &tasks)
        }
    }
}
