import Checks
import Quantities
import RunLog
import Scenario
import Testing

@Suite struct ExpectationReadingTests {
    @Test(
        arguments: [
            (
                "session 1 completes within 29 s",
                .sessionCompletes(ItemName(1), within: .zero...TimeSpan.seconds(29))
            ),
            ("session 1 resumes once", .happens(.resume(.one(ItemName(1))), .exactly(1))),
            ("session 1 resumes never", .happens(.resume(.one(ItemName(1))), .exactly(0))),
            ("session 1 resumes exactly twice", .happens(.resume(.one(ItemName(1))), .exactly(2))),
            ("session 1 resumes 5 times", .happens(.resume(.one(ItemName(1))), .exactly(5))),
            (
                "session 1 resumes at least 3 times",
                .happens(.resume(.one(ItemName(1))), .atLeast(3))
            ),
            (
                "session  1 resumes  at least once",
                .happens(.resume(.one(ItemName(1))), .atLeast(1))
            ),
            ("at most 1.5 MB sent again", .sentAgain(.atMost(ByteCount(1_500_000)))),
            (
                "incoming/video.mov is published once",
                .happens(.publication("incoming/video.mov"), .exactly(1))
            ),
            (
                "incoming/video.mov is published 2 times",
                .happens(.publication("incoming/video.mov"), .exactly(2))
            ),
            ("sessions complete in order", .sessionsCompleteInOrder),
            (
                "session 1 completes after 2 s",
                .sessionCompletes(ItemName(1), within: .seconds(2)...TimeSpan.seconds(120))
            ),
            (
                "session 1 fails within 5 s",
                .sessionFails(ItemName(1), code: nil, within: .seconds(5))
            ),
            (
                "session 1 fails with error 21",
                .sessionFails(ItemName(1), code: 21, within: nil)
            ),
            (
                "session 1 is waiting at 3 s",
                .sessionStands(ItemName(1), .waiting, at: .seconds(3))
            ),
            ("session 1 is failed at the end", .sessionStands(ItemName(1), .failed, at: nil)),
            (
                "session 1 is told will start running before did start file",
                .callbackOrder(ItemName(1), .willStartRunning, before: .didStartFile)
            ),
            (
                "session 1 is told did activate at least once",
                .happens(.callback(ItemName(1), .didActivate), .atLeast(1))
            ),
            (
                "session 1 is told progress at most 100 times",
                .happens(.callback(ItemName(1), .progress), .atMost(100))
            ),
            (
                "session 1 is tried again at least once",
                .happens(.retry(.one(ItemName(1))), .atLeast(1))
            ),
            (
                "session 1 is stopped by expiry at most twice",
                .happens(.stopByExpiry(.one(ItemName(1))), .atMost(2))
            ),
            ("session 1 fails never", .happens(.failure(.one(ItemName(1))), .exactly(0))),
            ("no session fails", .happens(.failure(.any(.queue)), .exactly(0))),
            ("no session resumes", .happens(.resume(.any(.queue)), .exactly(0))),
            ("no session connects", .happens(.connection(.any(.queue)), .exactly(0))),
            ("no operation fails", .happens(.failure(.any(.operations)), .exactly(0))),
            ("no task is tried again", .happens(.retry(.any(.background)), .exactly(0))),
            ("no task fails", .happens(.failure(.any(.background)), .exactly(0))),
            ("no transfer starts over", .happens(.startOver(.any(.bucket)), .exactly(0))),
            (
                "no operation refreshes its token",
                .happens(.tokenRefresh(.any(.operations)), .exactly(0))
            ),
            ("the app is woken twice", .happens(.waking, .exactly(2))),
            ("the handler is called within 5 s", .handlerIsCalled(within: .seconds(5))),
            (
                "incoming/video.mov is published within 9 s",
                .objectIsPublished("incoming/video.mov", within: .zero...TimeSpan.seconds(9))
            ),
            (
                "incoming/video.mov is published after 4 s",
                .objectIsPublished(
                    "incoming/video.mov", within: .seconds(4)...TimeSpan.seconds(120))
            ),
            (
                "incoming/video.mov holds video.mov or video.mov",
                .objectHoldsOne("incoming/video.mov", of: ["video.mov", "video.mov"])
            ),
            ("the server answers 416 never", .happens(.answer(416), .exactly(0))),
            ("the server answers 416 8 times", .happens(.answer(416), .exactly(8))),
            ("the server answers 416 exactly 8 times", .happens(.answer(416), .exactly(8))),
            ("the server answers 416 at least 8 times", .happens(.answer(416), .atLeast(8))),
            ("the server answers 416", .happens(.answer(416), .atLeast(1))),
            ("two uploads to one object race", .happens(.race, .atLeast(1))),
            (
                "incoming/video.mov holds video.mov",
                .objectHolds("incoming/video.mov", source: "video.mov", version: nil)
            ),
            (
                "incoming/video.mov holds version 2 of video.mov",
                .objectHolds("incoming/video.mov", source: "video.mov", version: 2)
            ),
            ("at most 9 MB sent in all", .traffic(.sent(.atMost(ByteCount(9_000_000))))),
            ("at least 9 MB sent in all", .traffic(.sent(.atLeast(ByteCount(9_000_000))))),
            ("at most 3 connections", .traffic(.connections(.atMost(3)))),
            ("at least 3 connections", .traffic(.connections(.atLeast(3)))),
            ("at most 7 packets retransmitted", .packetsRetransmitted(.atMost(7))),
            ("at least 60 kB outstanding at once", .outstanding(.atLeast(ByteCount(60_000)))),
            (
                "the first lost segment is repeated after 1 s, 200 ms",
                .repeats(after: [.seconds(1), .milliseconds(200)])
            ),
            (
                "the exchanges are POST 201, PATCH unanswered, PATCH 204 twice",
                .exchanges([
                    Exchange("POST", 201), Exchange("PATCH", nil), Exchange("PATCH", 204),
                    Exchange("PATCH", 204),
                ])
            ),
            ("the apps ask PATCH 3 times", .happens(.request("PATCH"), .exactly(3))),
            ("the apps ask PUT never", .happens(.request("PUT"), .exactly(0))),
            ("0 unfinished uploads are left", .uploadsLeft(0)),
            ("goodput at least 2 Mbit/s", .goodput(.rate(Bitrate(bitsPerSecond: 2_000_000)))),
        ] as [(String, ExpectationPlan)])
    func `each phrase becomes its expectation`(words: String, plan: ExpectationPlan) throws {
        let text = ValidScenario.text(with: 20, replacedBy: "  - \(words)")
        let last = try Scenario.read(text: text, path: "a/x.yaml").expectations.last
        #expect(last?.plan == plan)
        #expect(last?.words == words)
        #expect(last?.place == "a/x.yaml:20:5")
        #expect(last?.check().rule == words)
        #expect(last?.check().place == "a/x.yaml:20:5")
    }

    @Test func `what goes over a network may be limited, where there is such a network`() throws {
        let text = ValidScenario.text(with: 20, replacedBy: "  - at most 0 B over cellular")
        let whole = ValidScenario.onTwoNetworks(text)
        let plans = try Scenario.read(text: whole, path: "x.yaml").expectations.map(\.plan)
        #expect(plans.last == .sentOver(isCellular: true, .atMost(.zero)))
        let other = whole.replacing("0 B over cellular", with: "2 MB over wifi")
        let plan = try Scenario.read(text: other, path: "x.yaml").expectations.last?.plan
        #expect(plan == .sentOver(isCellular: false, .atMost(ByteCount(2_000_000))))
        let without = whole.replacing("  cellular: { profile: apple-lte }\n", with: "")
        #expect(ValidScenario.diagnostics(of: without).map(\.message) == ["no phone has cellular"])
        #expect(ValidScenario.diagnostics(of: text).map(\.message) == ["no phone has cellular"])
    }

    @Test func `a destination may have words of the phrase in it`() throws {
        let name = "what is published once"
        var text = ValidScenario.text(with: 13, replacedBy: "    to: \(name)")
        text = text.replacing("incoming/video.mov is", with: "\(name) is")
        let plans = try Scenario.read(text: text, path: "x.yaml").expectations.map(\.plan)
        #expect(plans.last == .happens(.publication(name), .exactly(1)))
    }

    @Test func `a canary names an invariant or an expectation by its words`() throws {
        let words = "session 1 completes within 30 s"
        let text = ValidScenario.text(with: 23, replacedBy: "must-fail: \(words)")
        #expect(try Scenario.read(text: text, path: "x.yaml").mustFail == words)
        #expect(try Scenario.read(text: ValidScenario.text, path: "x.yaml").mustFail == "L1")
    }
}
