import Protocols
import Quantities
import Testing
import TransferEngine
import TransferHost

@testable import Live

@Suite struct DaemonMessagesTests {
    private static let request = TaskRequest(
        "b.mov", of: Account(host: "127.0.0.1", port: 80, credentials: CredentialHandle("app")),
        method: "POST", fields: HTTPFields([("Accept", "a, b"), ("X-Y", "")]),
        limits: .noCellular)

    @Test(arguments: [
        DaemonMessage.app(1, .thrownOut, launch: 3), .renumber(0, tasksBefore: 7),
        .charger(isConnected: true),
        .network(
            NetworkOrder(
                acts: [.end(0)],
                standing: NetworkStanding(interfaces: [.init(number: 0, bitsPerSecond: 1)]))),
        .asked(
            by: 2,
            .create(
                4,
                BackgroundTaskRequest(
                    session: "films at night", Self.request, .upload(from: "a\nb.mov"),
                    configuration: BackgroundConfiguration(isDiscretionary: true)))),
        .asked(
            by: 2,
            .create(
                5,
                BackgroundTaskRequest(
                    session: "s", Self.request,
                    .resumption(ResumeData(task: 4, request: Self.request))))),
        .asked(by: 0, .invalidate(session: "s", cancelling: true)),
    ])
    func `what the parent tells is heard as it was told, in one line`(message: DaemonMessage) {
        #expect(message.line.filter { $0.isNewline }.count == 1)
        #expect(DaemonMessage(line: Array(message.line.dropLast().utf8)) == message)
    }

    @Test(arguments: [
        DaemonWord.connected(3, from: SocketAddress(address: 0x7f01_0101, port: 65_535)),
        .abandoned(4, from: SocketAddress(address: 1, port: 2)), .wakes(1),
        .rests(after: 12),
        .tells(
            0, launch: 2,
            .downloaded(
                1, session: "s", Self.request,
                TaskResponse(200, fields: HTTPFields([("A", ": b")])), path: "/downloads/a b")),
    ])
    func `what the daemon says is heard as it was said`(word: DaemonWord) {
        #expect(DaemonWord(line: Array(word.line.dropLast().utf8)) == word)
    }

    @Test func `an event is no word of the daemon`() {
        #expect(DaemonWord(line: Array("{\"at\":1}".utf8)) == nil)
    }
}
