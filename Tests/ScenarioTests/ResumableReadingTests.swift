import Checks
import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// The key `resumable`, and what is said of resumable transfers elsewhere in a file.
@Suite struct ResumableReadingTests {
    private static func text(
        transfers: String = "- { upload: a.mov, to: a.mov, bucket: films }",
        rules: [String] = [], timeline: [String] = ["1 s: app killed"], expect: [String] = []
    ) -> String {
        func list(_ key: String, _ entries: [String]) -> String {
            entries.isEmpty ? "" : "\(key):\n" + entries.map { "  - \($0)\n" }.joined()
        }
        return """
            name: transfers
            why: an app has transfers beside all else
            device:
              os: ios-17
              apps:
                backup:
                  files: { b.bin: 1 MB }
                  resumable:
                    - { upload: b.bin, to: b.bin, bucket: backups }
                    - { download: a.mov, to: copies/a.mov, bucket: films }
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            files: { a.mov: 400 kB }
            resumable:
              \(transfers)
            \(list("app", rules))\(list("timeline", timeline))\(list("expect", expect))
            """
    }

    private func entry(_ number: UInt64) -> ItemName { ItemName(number, of: .bucket) }

    @Test func `an app has them without a queue, and the file counts those of all apps`() throws {
        let scenario = try Scenario.read(text: Self.text(), path: "x.yaml")
        #expect(scenario.sessions.isEmpty)
        #expect(
            scenario.app.transfers == [
                PlannedTransfer(
                    isDownload: false, path: "a.mov", object: "a.mov", bucket: "films")
            ])
        #expect(
            scenario.device.apps[1].app.transfers.last
                == PlannedTransfer(
                    isDownload: true, path: "copies/a.mov", object: "a.mov", bucket: "films"))
        for sentence in [
            "Transfer 1 uploads a.mov as a.mov into the bucket “films”, in chunks.",
            "Transfer 3, of “backup”, downloads a.mov of the bucket “films” to copies/a.mov, in "
                + "chunks.",
        ] { #expect(scenario.sentences.contains(sentence), "\(sentence)") }
    }

    @Test func `rules and the timeline start, resume, suspend and terminate them`() throws {
        let text = Self.text(
            transfers: """
                - { upload: a.mov, to: a.mov, bucket: films }
                  - { upload: a.mov, to: b.mov, bucket: films }
                  - { upload: a.mov, to: c.mov, bucket: films }
                """,
            rules: [
                "on completed transfer 1: start transfer 2",
                "on suspended transfer 1: terminate transfer 1",
                "on failed transfer 2: terminate transfer 1",
            ],
            timeline: [
                "2 s: transfer 3 is started", "when transfer 3 at 40 %: transfer 3 is suspended",
                "when transfer 3 comes to rest: transfer 3 is resumed",
                "10 s: transfer 5 is terminated",
            ])
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        let roll = AppRoll(scenario.plan())
        #expect(roll.entries[0].plan.app.later(.bucket) == [3, 2])
        #expect(
            scenario.app.rules == [
                .init(.completed(entry(1)), .item(.begin, ItemName(2, of: .bucket))),
                .init(.suspended(entry(1)), .item(.terminate, ItemName(1, of: .bucket))),
                .init(.failed(entry(2)), .item(.terminate, ItemName(1, of: .bucket))),
            ])
        #expect(
            scenario.plan().timeline.map(\.action) == [
                .asks(.item(.begin, ItemName(3, of: .bucket))),
                .asks(.item(.suspend, ItemName(3, of: .bucket))),
                .asks(.item(.resume, ItemName(3, of: .bucket))),
                .asks(.item(.terminate, ItemName(5, of: .bucket))),
            ])
        let owner = roll.owner(of: .item(.terminate, ItemName(5, of: .bucket)))
        #expect(owner.app == 1 && owner.command == .item(.terminate, ItemName(2, of: .bucket)))
    }

    static let expectations: [(words: String, plan: ExpectationPlan)] = [
        (
            "transfer 1 is suspended with error 812",
            .happens(.rest(ItemName(1, of: .bucket), code: 812), .atLeast(1))
        ),
        (
            "transfer 1 is suspended with error -1005",
            .happens(.rest(ItemName(1, of: .bucket), code: -1005), .atLeast(1))
        ),
        (
            "transfer 1 is refused with error 801",
            .happens(.transferRefusal(ItemName(1, of: .bucket), code: 801), .atLeast(1))
        ),
        (
            "transfer 1 ends with error 813",
            .sessionFails(ItemName(1, of: .bucket), code: 813, within: nil)
        ),
        (
            "transfer 1 is terminated at the end",
            .sessionStands(ItemName(1, of: .bucket), .cancelled, at: nil)
        ),
        (
            "transfer 1 is ongoing at 3 s",
            .sessionStands(ItemName(1, of: .bucket), .running, at: .seconds(3))
        ),
    ]

    @Test(arguments: expectations.indices) func `what can be expected of one`(index: Int) throws {
        let (words, plan) = Self.expectations[index]
        let scenario = try Scenario.read(text: Self.text(expect: [words]), path: "x.yaml")
        #expect(scenario.expectations.map(\.plan) == [plan])
    }

    static let mistakes: [(text: String, message: String)] = [
        (text(transfers: "- { upload: a.mov, to: a }"), "a transfer needs the key “bucket”"),
        (text(transfers: "- { to: a, bucket: b }"), "this is neither an upload nor a download"),
        (
            text(transfers: "- { upload: c.mov, to: a, bucket: b }"),
            "there is no file “c.mov”"
        ),
        (text(transfers: "- { upload: a.mov, to: a/b, bucket: b }"), "“a/b” is not a name"),
        (text(transfers: "- { upload: a.mov, to: a, bucket: b/c }"), "“b/c” is not a name"),
        (text(transfers: "- { download: a, to: a.mov, bucket: b }"), "“a.mov” is one of the files"),
        (text(transfers: "- { download: a, to: ../x, bucket: b }"), "../x"),
        (text(transfers: "[]"), "there is no transfer"),
        (text(timeline: ["1 s: transfer 9 is resumed"]), "there is no transfer 9"),
        (
            text(rules: ["on completed transfer 2: resume transfer 1"]),
            "there is no transfer 2"
        ),
        (text(rules: ["on launch: start transfer 1"]), "transfer 1 would be started each time"),
        (
            text(rules: ["on suspended transfer 1: start transfer 1"]),
            "transfer 1 would be started each time"
        ),
        (
            text(rules: ["on completed transfer 1: start transfer 1"]),
            "transfer 1 would wait for transfer 1"
        ),
        (
            text(timeline: ["every 10 s: transfer 1 is started"]),
            "transfer 1 is made more than once"
        ),
        (
            text(rules: ["on suspended transfer 1: resume transfer 1"]),
            "transfer 1 would be resumed at once, again and again"
        ),
        (text(expect: ["transfer 1 ends with error 12"]), "there is no error “12”"),
    ]

    @Test(arguments: mistakes.indices) func `mistakes are named`(index: Int) {
        let (text, message) = Self.mistakes[index]
        do throws(ScenarioError) {
            _ = try Scenario.read(text: text, path: "x.yaml")
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains(message), "\(error)")
        }
    }
}
