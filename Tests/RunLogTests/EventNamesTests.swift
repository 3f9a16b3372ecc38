import Content
import Foundation
import Quantities
import RunLog
import Testing

/// Names of the values in `events.jsonl`.
@Suite struct EventNamesTests {
    static let session = ItemName(1)
    static let transfer = TransferName(2)
    static let connection = ConnectionName(launch: 1, number: 3)
    static let resource = ResourceName("/tus/1")

    static let facts: [(fact: RunEvent.Fact, line: String)] = [
        (.device(.appKilled(launch: 2)), #"{"at":7,"device":{"appKilled":{"launch":2}}}"#),
        (
            .queue(.callback(session, .didDeactivate(.completed))),
            #"{"at":7,"queue":{"callback":{"call":"#
                + #"{"didDeactivate":{"outcome":{"completed":{}}}},"session":1}}}"#
        ),
        (
            .engine(.resumes(transfer, resource: resource, at: ByteCount(5))),
            #"{"at":7,"engine":{"resumes":{"at":5,"resource":"/tus/1","transfer":2}}}"#
        ),
        (
            .connection(.response(connection, status: 204)),
            #"{"at":7,"connection":{"response":"#
                + #"{"connection":{"launch":1,"number":3},"status":204}}}"#
        ),
        // The launch and the number of a path are one number, small enough for any reader of JSON.
        (
            .engine(.givesUp(TransferName(path: 2, ofLaunch: 3), because: "gone")),
            #"{"at":7,"engine":{"givesUp":{"because":"gone","transfer":12884901890}}}"#
        ),
        (
            .queue(
                .pathAdded(
                    session,
                    AcceptedTransfer(transfer: transfer, source: "a", destination: "in/a"))),
            #"{"at":7,"queue":{"pathAdded":{"path":"#
                + #"{"destination":"in/a","source":"a","transfer":2},"session":1}}}"#
        ),
        (.run(.ended(.quiet)), #"{"at":7,"run":{"ended":{"ending":"quiet"}}}"#),
        (
            .engine(.attempt(ItemName(2, of: .operations), number: 1)),
            #"{"at":7,"engine":{"attempt":{"item":"operation 2","number":1}}}"#
        ),
    ]

    @Test(arguments: ["operation", "operation x", "upload 2", "operation 2 3"])
    func `what is no name of an item is said to be none`(name: String) throws {
        let line = #"{"at":7,"engine":{"attempt":{"item":"\#(name)","number":1}}}"#
        #expect(throws: EventLines.Unreadable.self) {
            try EventLines.event(from: Data(line.utf8), number: 1)
        }
    }

    @Test(arguments: facts) func `a line names what it tells`(fact: RunEvent.Fact, line: String)
        throws
    {
        let event = RunEvent(at: Instant(nanoseconds: 7), fact)
        #expect(String(decoding: EventLines.line(for: event), as: UTF8.self) == line)
        #expect(try EventLines.event(from: EventLines.line(for: event), number: 1) == event)
    }

    @Test func `an event of another app than the first says whose it is`() throws {
        let event = RunEvent(at: Instant(nanoseconds: 7), app: 2, .queue(.started))
        let line = EventLines.line(for: event)
        #expect(
            String(decoding: line, as: UTF8.self) == #"{"app":2,"at":7,"queue":{"started":{}}}"#)
        #expect(try EventLines.event(from: line, number: 1) == event)
        #expect(event.description.contains("app 2, queue: the app starts the queue"))
    }

    @Test func `who has a name is called by it`() {
        let names = RunNames(apps: ["backup"], phones: ["tablet"])
        let at = Instant(nanoseconds: 7)
        #expect(
            RunEvent(at: at, app: 2, .queue(.started)).line(names)
                == "0 s  “backup”, queue: the app starts the queue")
        let sentences: [(RunEvent.Fact, String)] = [
            (.device(.power(.lost, device: 2)), "“tablet” loses its power"),
            (.device(.power(.lost)), "the phone loses its power"),
            (.device(.memoryPressure(device: 3)), "phone 3 is short of memory"),
            (.network(.happens("Wi-Fi is lost", device: 2)), "“tablet”: Wi-Fi is lost"),
        ]
        for (fact, sentence) in sentences {
            #expect(RunEvent(at: at, fact).sentence(names) == sentence)
        }
        #expect(
            RunEvent(at: at, app: 2, .queue(.started)).sentence(names)
                == "“backup”: the app starts the queue")
        #expect(RunEvent(at: at, .queue(.started)).sentence(names) == "the app starts the queue")
    }

    private static let aboutNames: [RunEvent.Fact] = [
        .connection(.attempt(connection, over: .ipv6, interface: 0, flow: 3)),
        .connection(.attemptEnded(connection, over: .ipv6, why: .aborted)),
        .network(
            .names(
                NameTerms(
                    host: "docroot", addresses: [.ipv6, .ipv4], keep: .seconds(60), flow: 0xc000))),
        .network(.nameAsked(NameQuestion(interface: 0, family: .ipv6), attempt: 1)),
        .network(.nameAnswered(NameQuestion(interface: 0, family: .ipv4), .address)),
    ]

    @Test func `no kind of fact has a value without a name`() throws {
        let count = LinkFact.counted(link: 0, LinkCount())
        let published = ServerFact.published(
            Self.resource, object: "o", version: 1,
            [ContentRange(FileVersion(file: 1, edit: 0), offset: .zero, length: ByteCount(1))])
        let all: [RunEvent.Fact] = [
            .link(count), .server(published), .server(.acknowledged(Self.resource, offset: .zero)),
            .server(.created(Self.resource, object: "o", length: .zero)),
            .server(.appendBegan(Self.resource, at: .zero, staged: .zero)),
            .server(.appendEnded(Self.resource, staged: .zero, complete: true)),
            .server(.discarded(Self.resource, why: "late")),
            .engine(.token(ItemName(2, of: .operations), .refreshEnded(isNew: true))),
            .server(.reading(object: "o", tag: 1, at: .zero, length: .zero)),
            .server(.readingBroken(object: "o", at: .zero, why: "replaced")),
            .server(.removed(object: "o")), .server(.faultSwitched("full", on: true)),
            .server(
                .fault(
                    "full", connection: 1, client: "10.0.0.7", request: "PUT /",
                    effect: "no room")),
            .server(.connected(connection: 1, client: "10.0.0.7")),
            .server(.disconnected(connection: 1)),
            .server(
                .answered(
                    connection: 1, client: "10.0.0.7", method: "GET", target: "/", status: 200)),
            .engine(.moves(Self.session, from: .waiting, to: .running, because: "its turn")),
            .engine(.attempt(Self.session, number: 1)), .engine(.completes(Self.transfer)),
            .engine(.startsOver(Self.transfer, because: "gone")),
            .engine(.inspected(Self.transfer, size: .zero, modified: 0)),
            .engine(
                .sends(
                    Self.transfer, resource: Self.resource, from: .zero, on: Self.connection,
                    bodyAt: .zero)),
            .engine(.fails(Self.session, code: 12, message: "m", retryIn: .seconds(2))),
            .connection(.opening(Self.connection, to: "a:80", by: ItemName(1))),
            .connection(.securing(Self.connection, with: "TLS 1.3")),
            .connection(.established(Self.connection)),
            .connection(.request(Self.connection, method: "HEAD", target: "/")),
            .connection(.ended(Self.connection, why: .closed, transmitted: .zero)),
            .engine(.accepts(Self.session, index: 0, [])),
            .device(.stands(os: "iOS 17", wallNanoseconds: 1)),
            .device(.appLaunched(launch: 2, by: .system)),
            .device(.appKilled(launch: 1, why: .memory)),
            .device(.appEntered(launch: 1, stage: .background, because: "home")),
            .device(.taskBegan(launch: 1, task: 1, deadline: .start)),
            .device(.taskExpires(launch: 1, task: 1, deadline: .start)),
            .device(.taskEnded(launch: 1, task: 1)), .device(.appDataCleared),
            .device(.appUpdated(container: "c")), .device(.memoryPressure()),
            .device(.power(.lost)), .device(.lowPower(on: true, device: 2)),
            .device(.call(on: true, device: 2)),
            .device(.stands(os: "iOS 17", wallNanoseconds: 1, device: 2, apps: [3, 4])),
            .device(.diskStands(capacity: ByteCount(9), used: .zero, device: 2)),
            .device(.disk(.writesFail)), .device(.disk(.full, device: 2)),
            .entries(.refused(ItemName(1, of: .bucket), code: 811, reason: "taken")),
            .entries(.asked(ItemName(1, of: .bucket), .suspend)),
            .entries(
                .callback(ItemName(1, of: .bucket), .suspended(code: 809, message: "suspended"))),
            .entries(.held([ItemName(1, of: .bucket)])),
            .server(.created(Self.resource, object: "o", length: nil)),
            .file(.kept(path: "a", because: "the disk has no room for more")),
            .device(
                .wallClockJumped(by: .seconds(-1), wallNanoseconds: 1, because: "NTP", device: 2)),
        ]
        for fact in all + Self.aboutNames {
            let event = RunEvent(at: .start, fact)
            let line = EventLines.line(for: event)
            #expect(!String(decoding: line, as: UTF8.self).contains("\"_"), "\(fact)")
            #expect(try EventLines.event(from: line, number: 1) == event)
        }
    }
}
