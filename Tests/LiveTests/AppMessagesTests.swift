import Protocols
import Quantities
import RunPlan
import Testing
import TransferEngine
import TransferHost

@testable import Live

@Suite struct AppMessagesTests {
    private static let request = TaskRequest(
        "b.mov", of: Account(host: "there", port: 80, credentials: CredentialHandle("app")))

    @Test(arguments: [
        PhoneMessage.enteredBackground, .enteredForeground, .fetch, .backgroundTimeExpires(7),
        .asks(.item(.resume, ItemName(2))), .asks(.item(.resume, ItemName(2, of: .background))),
        .asks(.item(.begin, ItemName(3, of: .background))),
        .asks(.item(.begin, ItemName(1, of: .operations))),
        .asks(.item(.cancel, ItemName(2, of: .operations))),
        .asks(.addPath(1, path: 2)), .asks(.addPath(2, path: nil)),
        .asks(.item(.retry, ItemName(3, of: .operations))), .asks(.emptyLists),
        .asks(.item(.cancel, ItemName(4, of: .background))),
        .asks(.item(.begin, ItemName(1, of: .bucket))),
        .asks(.item(.resume, ItemName(2, of: .bucket))),
        .asks(.item(.suspend, ItemName(3, of: .bucket))),
        .asks(.item(.terminate, ItemName(4, of: .bucket))),
        .asks(.change(1, .overwrite(.ifDifferentAndOlder))),
        .asks(.change(2, .resume(.fullChecksum))), .asks(.save(3)),
        .asks(.item(.begin, ItemName(2))),
        .asks(.deleteAccount("studio")),
        .daemon(.finished(2, session: "a b", Self.request, .failed(.timedOut), nil)),
        .daemon(
            .finished(
                2, session: "a b", Self.request,
                .answered(TaskResponse(404, fields: HTTPFields([("A", "b: c")]))), nil)),
        .daemon(.tasks(session: "a b", [])), .daemon(.received(2, session: "a b", [0, 255])),
        .network(
            NetworkOrder(
                acts: [.end(0), .cut(1, answersByReset: true)],
                standing: NetworkStanding(
                    status: NetworkStatus(
                        interface: 1, isCellular: true, isMetered: true, isLowData: false,
                        alive: [1]),
                    interfaces: [
                        NetworkStanding.Interface(
                            number: 1, isUp: false, address: "127.1.1.1", portalPort: 80,
                            bitsPerSecond: 8_000_000)
                    ]))),
    ])
    func `what the phone tells is heard as it was told`(message: PhoneMessage) {
        #expect(PhoneMessage(line: Array(message.line.dropLast().utf8)) == message)
        #expect(message.line.hasSuffix("\n"))
    }

    @Test(arguments: [
        AppRequest.beginTask(1), .endTask(2), .countsOn(sessionsKept: 3, transfersKept: 4),
        .connected(3, from: SocketAddress(address: 0x7f01_0101, port: 65_535)),
        .abandoned(4, from: SocketAddress(address: 1, port: 2)),
        .hasHeard(5), .daemon(.attach(session: "a b")),
    ])
    func `what an app asks is heard as it was asked`(request: AppRequest) {
        #expect(AppRequest(line: Array(request.line.dropLast().utf8)) == request)
    }

    @Test func `an order that waits for a process takes in what comes after it`() {
        let standing = { (isUp: Bool) in
            NetworkStanding(interfaces: [.init(number: 0, isUp: isUp, bitsPerSecond: 1)])
        }
        var order = NetworkOrder(acts: [.end(0)], standing: standing(false))
        order.merge(
            NetworkOrder(acts: [.end(0), .cut(0, answersByReset: false)], standing: standing(true)))
        #expect(
            order
                == NetworkOrder(
                    acts: [.end(0), .cut(0, answersByReset: false)], standing: standing(true)))
    }
}
