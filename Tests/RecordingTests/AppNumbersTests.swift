import RunLog
import Testing
import TransferEngine

@testable import Recording

/// No two sessions of a run have one name, whatever an engine could read of a damaged store.
@Suite struct AppNumbersTests {
    /// Ten sessions of other apps, of one file each.
    private static var numbers: AppNumbers { AppNumbers(before: counted(10)) }

    private static func counted(_ sessions: UInt64, files: UInt64? = nil) -> ItemCounts {
        var counts = ItemCounts()
        counts[.queue] = sessions
        counts.transfersOfSessions = files ?? sessions
        return counts
    }

    @Test func `what is kept has its name, and what comes after has a new one`() {
        var numbers = Self.numbers
        #expect([1, 2, 3].map(numbers.session) == [11, 12, 13])
        numbers.goOn(.init(sessionsKept: 2, transfersKept: 4, before: Self.counted(50)))
        #expect([1, 2, 3, 4].map(numbers.session) == [11, 12, 51, 52])
        #expect([4, 5, 6].map(numbers.transfer) == [14, 51, 52])
        numbers.goOn(.init(sessionsKept: 3, transfersKept: 5, before: Self.counted(90)))
        #expect([1, 2, 3, 4].map(numbers.session) == [11, 12, 51, 91])
    }

    @Test func `transfers are counted by their files, and sessions by themselves`() {
        var numbers = AppNumbers(before: Self.counted(2, files: 5))
        #expect(numbers.session(1) == 3 && numbers.transfer(1) == 6)
        numbers.goOn(
            .init(sessionsKept: 1, transfersKept: 3, before: Self.counted(4, files: 10)))
        #expect(numbers.session(2) == 5 && numbers.transfer(4) == 11)
    }

    @Test func `where nothing is left everything is new`() {
        var numbers = Self.numbers
        numbers.goOn(.init(sessionsKept: 0, transfersKept: 0, before: Self.counted(50)))
        #expect(numbers.session(1) == 51 && numbers.transfer(1) == 51)
    }

    @Test func `the numbers of what is kept and of what is lost are not new`() {
        let record = SessionRecord(
            id: SessionID(3),
            account: Account(host: "h", port: 1, credentials: CredentialHandle("c")),
            state: .waiting, failures: 0,
            transfers: [TransferRecord(id: TransferID(8), source: "a", destination: "b")])
        func later(lost: [UInt64], lastTransfer: UInt64) -> AppNumbers.Later {
            AppNumbers.Later(
                after: StoreSetAside(
                    name: "d", reason: "", lost: lost.map { SessionID($0) },
                    lastTransfer: TransferID(lastTransfer)), keeping: [record],
                before: Self.counted(7))
        }
        #expect(
            later(lost: [5], lastTransfer: 2)
                == .init(sessionsKept: 5, transfersKept: 8, before: Self.counted(7)))
        #expect(
            later(lost: [1], lastTransfer: 9)
                == .init(sessionsKept: 3, transfersKept: 9, before: Self.counted(7)))
    }
}
