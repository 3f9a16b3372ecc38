import Quantities
import Testing
import TransferEngine

@testable import Live

@Suite struct DaemonMessagesTests {
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
                    session: "films at night",
                    account: Account(
                        host: "127.0.0.1", port: 80, credentials: CredentialHandle("app")),
                    .upload(from: "a\nb.mov", to: "b.mov"), limits: [.noCellular],
                    isDiscretionary: true))),
    ])
    func `what the parent tells is heard as it was told, in one line`(message: DaemonMessage) {
        #expect(message.line.filter { $0.isNewline }.count == 1)
        #expect(DaemonMessage(line: Array(message.line.dropLast().utf8)) == message)
    }

    @Test(arguments: [
        DaemonWord.connected(3, from: SocketAddress(address: 0x7f01_0101, port: 65_535)),
        .abandoned(4), .wakes(1), .rests(after: 12),
        .tells(0, launch: 2, .downloaded(1, session: "s", path: "/downloads/a b")),
    ])
    func `what the daemon says is heard as it was said`(word: DaemonWord) {
        #expect(DaemonWord(line: Array(word.line.dropLast().utf8)) == word)
    }

    @Test func `an event is no word of the daemon`() {
        #expect(DaemonWord(line: Array("{\"at\":1}".utf8)) == nil)
    }
}
