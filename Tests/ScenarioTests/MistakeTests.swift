import Scenario
import Testing

/// Each mistake alone in a scenario that is good otherwise: one diagnostic, in the right place.
@Suite struct MistakeTests {
    /// The line that is replaced, what by (`nil`: left out), and what is said where.
    typealias Row = (line: Int, text: String?, at: String, message: String)

    @Test(arguments: description + links + filters + files + queue)
    func `a mistake in what there is has its place and its words`(row: Row) {
        expectOneDiagnostic(row)
    }

    @Test(arguments: timeline + expectations + judgement)
    func `a mistake in what happens or must hold has its place and its words`(row: Row) {
        expectOneDiagnostic(row)
    }

    private func expectOneDiagnostic(_ row: Row) {
        let text = ValidScenario.text(with: row.line, replacedBy: row.text)
        let seen = ValidScenario.diagnostics(of: text)
        let lines = seen.map { "\($0.line):\($0.column) \($0.message)" }
        #expect(lines == ["\(row.at) \(row.message)"], "\(text)")
    }

    static let description: [Row] = [
        (1, nil, "1:1", "a scenario needs the key “name”"),
        (1, "name:", "1:6", "nothing where a single value is needed"),
        (1, "name: [a]", "1:7", "a list where a single value is needed"),
        (1, "name: ''", "1:7", "the value is empty"),
        (
            1, "name: \(String(repeating: "n", count: 101))", "1:7", "the name is too long"
        ),
        (1, "name: \"a\\x07b\"", "1:7", "the control character U+0007 in quotes"),
        (2, "why: []", "2:6", "a list where a single value is needed"),
        (3, "cites: A3", "3:8", "a single value where a list is needed"),
        (
            3, "cites: [A3, A27]", "3:13",
            "“A27” does not exist: the statements of that letter are A1 to A26"
        ),
        (3, "cites: [A03]", "3:9", "“A03” is neither a statement nor a field bug"),
        (3, "cites: [TUSKit 162]", "3:9", "“TUSKit 162” is neither a statement nor a field bug"),
        (3, "cites: [A3, A3]", "3:13", "“A3” is cited twice"),
        (4, "tags: [Long]", "4:8", "“Long” is not a tag"),
        (4, "tags: [a, b, a]", "4:14", "the tag “a” is given twice"),
        (5, "seed: 7.5", "5:7", "“7.5” is not a whole number"),
        (5, "seed: -7", "5:7", "“-7” is negative"),
        (5, "seed: 18446744073709551616", "5:7", "“18446744073709551616” is out of range"),
        (5, "seed: 7\nseed: 8", "6:1", "the key “seed” is given twice"),
        (5, "seed: 7\nsede: 8", "6:1", "a scenario has no key “sede”"),
        (5, "seed: 7\n? [a]\n: 8", "6:3", "a list as a key"),
        (5, "tcp: cubic", "5:6", "a single value where a mapping of keys to values is needed"),
        (5, "tcp: { controler: cubic }", "5:8", "“tcp” has no key “controler”"),
        (5, "tcp: { ecn: 1 }", "5:13", "there is no ECN “1”"),
        (5, "tcp: { controller: cubik }", "5:20", "there is no controller “cubik”"),
        (
            5, "tcp: { client: bbr }", "5:16",
            "a single value where a mapping of keys to values is needed"
        ),
        (5, "tcp: { server: { ecn: on } }", "5:18", "“server” of “tcp” has no key “ecn”"),
        (
            5, "tcp: { client: { controller: bbb } }", "5:30", "there is no controller “bbb”"
        ),
        (5, "tcp: { tls: 1.1 }", "5:13", "there is no TLS “1.1”"),
        (
            5, "tcp: { receive-window: 1 kB }", "5:24",
            "TCP cannot have a receive window of 1 kB"
        ),
        (
            5, "tcp: { send-buffer: 2 GB }", "5:21",
            "TCP cannot have a send buffer of 2 GB"
        ),
        (5, "tcp: { initial-window: 0 }", "5:24", "TCP cannot begin with 0 segments"),
        (5, "tcp: { pacing: fast }", "5:16", "“fast” is neither on nor off"),
        (
            5, "tcp: { background: { controller: ledbat } }", "5:34",
            "there is no controller “ledbat”"
        ),
        (5, "tcp: { minimum-timeout: 2 min }", "5:25", "TCP cannot have a timeout of 2 min"),
    ]

    static let links: [Row] = [
        (7, uplink("{ rate: 10 Mbit/s }"), "7:11", "a direction of the link needs the key “delay”"),
        (7, uplink("{}"), "7:11", "there is nothing between the braces"),
        (7, uplink("fast"), "7:11", "a single value where a mapping of keys to values is needed"),
        (8, nil, "7:3", "“links” needs the key “downlink”"),
        (
            8, "  dnlink: {}\n  downlink: { rate: 10 Mbit/s, delay: 20 ms }", "8:3",
            "“links” has no key “dnlink”"
        ),
        (7, uplink("{ rate: 10, delay: 20 ms }"), "7:19", "“10” has no unit"),
        (7, uplink("{ rate: 10 Mbps, delay: 20 ms }"), "7:19", "“Mbps” is not a unit of rate"),
        (7, uplink("{ rate: 0 bit/s, delay: 20 ms }"), "7:19", "a rate of zero"),
        (7, uplink("{ rate: 1001 Gbit/s, delay: 20 ms }"), "7:19", "“1001 Gbit/s” is out of range"),
        (7, uplink("{ rate: 1 Mbit/s, delay: 2 h }"), "7:36", "a delay of 2 h one way"),
        (
            7, uplink("{ rate: 1 Mbit/s, delay: 0.5 ns }"), "7:36",
            "“0.5 ns” is not a whole number of nanoseconds"
        ),
        (
            7, uplink("{ rate: 1 Mbit/s, delay: 2 s, loss: 101 % }"), "7:47",
            "“101 %” is out of range"
        ),
        (7, uplink("{ rate: 1 Mbit/s, delay: 2 s, loss: 0.02 }"), "7:47", "“0.02” has no unit"),
        (
            7, uplink("{ rate: 1 Mbit/s, delay: 2 s, loss: 2 pc }"), "7:47",
            "“pc” is not a percent sign"
        ),
        (
            7, uplink("{ rate: 1 Mbit/s, delay: 2 s, queue: 1499 B }"), "7:48",
            "no packet fits into a queue of 1.499 kB"
        ),
        (
            7, uplink("{ rate: 1 Mbit/s, delay: 2 s, queue: no packets }"), "7:48",
            "“no” is not a whole number"
        ),
    ]

    static let filters: [Row] = [
        (
            7, filtered("loss: { gilbert: { p: 1 %, r: 25 % } }"), "7:49",
            "a loss has no key “gilbert”"
        ),
        (
            7, filtered("loss: { gilbert-elliott: { p: 1 % } }"), "7:66",
            "“gilbert-elliott” needs the key “r”"
        ),
        (
            7, filtered("loss: { gilbert-elliott: { p: 1, r: 25 % } }"), "7:71", "“1” has no unit"
        ),
        (
            7, filtered("loss: { four-state: { p13: 60 %, p31: 20 %, p14: 50 % } }"), "7:61",
            "these chances make no valid chain of four states"
        ),
        (
            7, filtered("loss: { netem: { loss: 10 % } }"), "7:56",
            "“netem” needs the key “correlation”"
        ),
        (7, filtered("loss: { every: 0 }"), "7:56", "every 0th packet"),
        (7, filtered("loss: { every: 100 ms }"), "7:56", "“100 ms” is not a whole number"),
        (
            7, filtered("loss: { packets: [3, 3] }"), "7:62",
            "“3” is not above the index before it"
        ),
        (
            7, filtered("loss: { packets: 3 }"), "7:58", "a single value where a list is needed"
        ),
        (7, filtered("loss: { every: 3, packets: [3] }"), "7:47", "2 loss models in one entry"),
        (7, filtered("loss: [2 %, 2]"), "7:53", "“2” has no unit"),
        (7, filtered("corrupt: 101 %"), "7:50", "“101 %” is out of range"),
        (7, filtered("duplicate: twice"), "7:52", "“twice” does not begin with a number"),
        (7, filtered("mtu: 1280"), "7:46", "“1280” has no unit"),
        (7, filtered("mtu: 500 B"), "7:46", "an MTU of 500 B"),
        (7, filtered("black-hole: 5 s"), "7:53", "“5 s” is not a time from one moment to another"),
        (7, filtered("black-hole: 5 s to 4 s"), "7:53", "“5 s to 4 s” ends before it begins"),
        (7, filtered("outages: [5 s to 4]"), "7:51", "“4” has no unit"),
        (7, filtered("duty: { on: 0 s, off: 1 s }"), "7:47", "a duty cycle is not possible here"),
        (7, filtered("duty: { on: 1 s }"), "7:47", "“duty” needs the key “off”"),
        (
            7, uplink("{ delay: 2 s, rate: { 0 s: 1 Mbit/s, 2 s: none } }"), "7:31",
            "these moments are not in order"
        ),
        (
            7, uplink("{ delay: 2 s, rate: { 1 s: 1 Mbit/s } }"), "7:31",
            "these moments are not in order"
        ),
        (
            7, uplink("{ delay: 2 s, rate: { 0 s: 1 Mbps } }"), "7:38",
            "“Mbps” is not a unit of rate"
        ),
        (7, uplink("{ delay: 2 s, rate: { trace: [3, 2] } }"), "7:40", "this is not a trace"),
        (
            7, uplink("{ delay: 2 s, rate: { trace: [3] }, outages: [1 s to 2 s] }"), "7:56",
            "only a rate, or steps of it, can have outages"
        ),
        (
            7, filtered("competing: 2"), "7:52",
            "a single value where a mapping of keys to values is needed"
        ),
        (7, filtered("competing: { flows: 0 }"), "7:61", "0 flows"),
        (7, filtered("competing: { flow: 2, flows: 2 }"), "7:54", "“competing” has no key “flow”"),
        (
            7, filtered("competing: { flows: 2, controller: vegas }"), "7:76",
            "there is no controller “vegas”"
        ),
        (7, filtered("competing: { flows: 2, bytes: 0 B }"), "7:71", "a flow that sends nothing"),
        (
            7, filtered("cross-traffic: { packets: 100 B }"), "7:56",
            "“cross-traffic” needs the key “rate”"
        ),
        (
            7, filtered("cross-traffic: { rate: 1 Mbit/s, packets: 9 kB }"), "7:83",
            "packets of 9 kB"
        ),
        (
            7, filtered("cross-traffic: { rate: 1 Mbit/s, on: 2 s }"), "7:56",
            "“on” and “off” need each other"
        ),
        (
            7, filtered("cross-traffic: { rate: 1 Mbit/s, on: 2 s, off: 0 s }"), "7:88",
            "0 ns is too short for on or off"
        ),
        (
            7, filtered("cross-traffic: { rate: 1 Mbit/s, on: 2 s, off: 1 s, periods: random }"),
            "7:102", "there are no periods “random”"
        ),
        (
            7, filtered("cross-traffic: [{ rate: 1 Mbit/s, from: 5 s, until: 4 s }]"), "7:57",
            "traffic that ends at 4 s but begins at 5 s"
        ),
        (7, filtered("stages: loss"), "7:49", "a single value where a list is needed"),
        (7, filtered("stages: []"), "7:49", "a list without a stage"),
        (
            7, filtered("stages: [loss]"), "7:50",
            "a single value where a mapping of keys to values is needed"
        ),
        (7, filtered("stages: [{ loss: 1 %, mtu: 1280 B }]"), "7:50", "2 stages in one"),
        (7, filtered("stages: [los: 1 %]"), "7:50", "a stage has no key “los”"),
        (7, filtered("stages: [loss: 1 %, loss: 101 %]"), "7:67", "“101 %” is out of range"),
        (
            7, filtered("loss: 1 %, stages: [jitter: 5 ms, loss: 2 %]"), "7:75",
            "“loss” is given both beside “stages” and in it"
        ),
        (7, filtered("queue: { limit: 50 kB }"), "7:48", "a queue needs the key “discipline”"),
        (
            7, filtered("queue: { discipline: cobalt }"), "7:62",
            "there is no queue discipline “cobalt”"
        ),
        (
            7, filtered("queue: { discipline: red, target: 5 ms }"), "7:75",
            "red has no “target”"
        ),
        (
            7, filtered("queue: { discipline: pie, target: 0 ms }"), "7:75",
            "no time at all"
        ),
        (
            7, filtered("queue: { discipline: codel, step: 1 ms }"), "7:75", "codel has no “step”"
        ),
        (7, filtered("queue: { discipline: fq-codel, flows: 0 }"), "7:79", "0 lines"),
        (
            7, filtered("queue: { discipline: fq-codel, quantum: 2 MB }"), "7:81",
            "a quantum of 2 MB"
        ),
        (
            7, filtered("queue: { discipline: pie, alpha: 0.0001 }"), "7:74",
            "“0.0001” is not such a factor"
        ),
        (
            7, filtered("queue: { discipline: red, min: 9 kB, max: 9 kB }"), "7:83",
            "there is no room between the thresholds 9 kB and 9 kB"
        ),
        (
            7, filtered("queue: { discipline: red, weight: 0 % }"), "7:75",
            "an average in which no packet counts"
        ),
        (
            7, filtered("queue: { discipline: codel, ecn: yes }"), "7:74",
            "“yes” is neither on nor off"
        ),
        (
            7, filtered("queue: { discipline: codel, limit: 1 kB }"), "7:76",
            "no packet fits into a queue of 1 kB"
        ),
        (
            7, uplink("{ profile: apple-5g }"), "7:22", "there is no link profile “apple-5g”"
        ),
        (
            7, uplink("{ profile: apple-lte, rate: 10 }"), "7:39", "“10” has no unit"
        ),
        (7, filtered("jitter: 2 h"), "7:49", "a delay of 2 h one way"),
        (7, filtered("jitter: { gamma: 2 ms }"), "7:51", "“jitter” has no key “gamma”"),
        (
            7, filtered("jitter: { normal: { mean: 2 ms } }"), "7:59",
            "“normal” needs the key “deviation”"
        ),
        (
            7, filtered("jitter: { uniform: 1 ms, pareto: 2 ms }"), "7:49",
            "2 distributions in one entry"
        ),
        (7, filtered("reorder: { chance: 1 % }"), "7:50", "“reorder” needs the key “by”"),
        (7, filtered("reorder: { chance: 1, by: 1 ms }"), "7:60", "“1” has no unit"),
    ]

    static let files: [Row] = [
        (10, nil, "9:7", "nothing where a mapping of keys to values is needed"),
        (10, "  video.mov: 8", "10:14", "“8” has no unit"),
        (10, "  video.mov: -8 MB", "10:14", "“-8 MB” is negative"),
        (10, "  video.mov: 8 Mb", "10:14", "“Mb” is not a unit of size"),
        (10, "  video.mov: 1,5 MB", "10:14", "“1,5” is not a number"),
        (10, "  video.mov: 1.2.3 MB", "10:14", "“1.2.3” is not a number"),
        (10, "  video.mov: big", "10:14", "“big” does not begin with a number"),
        (10, "  video.mov: 1.5 B", "10:14", "“1.5 B” is not a whole number of bytes"),
        (10, "  video.mov: 8 B\n  video.mov/a: 1 B", "11:3", "“video.mov” is a file, not a folder"),
        (10, "  a/b: 1 B\n  video.mov: 8 MB\n  a: 1 B", "10:3", "“a” is a file, not a folder"),
        (10, "  video.mov: 1000.1 TB", "10:14", "“1000.1 TB” is out of range"),
        (10, "  video.mov: 99999999999999999 TiB", "10:14", "“TiB” is not a unit of size"),
        (
            10, "  video.mov: 99999999999999999 TB", "10:14",
            "“99999999999999999 TB” is out of range"
        ),
        (
            10, "  video.mov: { size: 8 MB }", "10:3",
            "“video.mov” does not say where the number of a file goes"
        ),
        (10, "  video.mov: [8 MB]", "10:14", "a list where a single value is needed"),
        (
            10, "  video.mov: 8 MB\n  video.mov: 8 MB", "11:3",
            "the key “video.mov” is given twice"
        ),
        (
            10, "  video.mov: 8 MB\n  a/../../b: 8 MB", "11:3",
            "“a/../../b” leaves the app's container"
        ),
        (10, "  video.mov: 8 MB\n  *v : 8 MB", "11:3", "“*v” is an alias in YAML"),
        (10, "  &v video.mov: 8 MB", "10:3", "“&v” is an anchor in YAML"),
        (10, "  video.mov: !!str 8 MB", "10:14", "“!!str” is a type tag in YAML"),
    ]

    static let queue: [Row] = [
        (12, "  - upload: vidoe.mov", "12:13", "there is no file “vidoe.mov”"),
        (12, "  - upload: *v", "12:13", "“*v” is an alias in YAML"),
        (
            12, "  - uplaod: video.mov\n    upload: video.mov", "12:5",
            "an entry of the queue has no key “uplaod”"
        ),
        (13, nil, "12:5", "an entry of the queue needs the key “to”"),
        (13, "    to: ../video.mov", "13:9", "“../video.mov” leaves the docroot"),
        (13, "    to: /video.mov", "13:9", "“/video.mov” begins with “/”"),
        (13, "    to: incoming/", "13:9", "“incoming/” is not a plain path"),
        (13, "    to: a/../video.mov", "13:9", "“a/../video.mov” is not a plain path"),
        // To people and to `Character` this “/” is another letter, to the server's disk it is not.
        (13, "    to: ../\u{301}video.mov", "13:9", "“../\u{301}video.mov” leaves the docroot"),
        (13, "    to: \(String(repeating: "n", count: 256))", "13:9", "a path of 256 bytes"),
    ]

    static let timeline: [Row] = [
        (14, "limit: 0 s", "14:8", "a run without any time"),
        (14, "limit: 2 fortnights", "14:8", "“fortnights” is not a unit of time"),
        (14, "limit: 10001 h", "14:8", "“10001 h” is out of range"),
        (16, "  - 4: app killed", "16:5", "“4” has no unit"),
        (
            16, "  - 4 s:app killed", "16:5",
            "a single value where a mapping of keys to values is needed"
        ),
        (16, "  - 4 s: app kiled", "16:10", "“app kiled” is not something that can happen"),
        (16, "  - 4 s: app killed\n    5 s: app launched", "16:5", "2 entries in one"),
        (16, "  - 4 s: video.mob edited", "16:10", "there is no file “video.mob”"),
        (16, "  - 4 s: video.mov truncated to 1 meter", "16:33", "“meter” is not a unit of size"),
        (16, "  - { [a]: app killed }", "16:7", "a list as a key"),
        (16, "  - 8 s: app killed", "17:5", "“7 s” is earlier than the entry before it"),
        (
            17, "  - 2 min: app launched", "17:5",
            "“2 min” is too late: the run ends at its limit of 2 min"
        ),
        (17, "  - 7 s: app killed", "17:10", "the app is not running then"),
        (17, "  - 7 s: app launched\n  - 8 s: app launched", "18:10", "the app is running then"),
    ]

    static let expectations: [Row] = [
        (19, "  - it works", "19:5", "“it works” is not an expectation"),
        (19, "  - [a]", "19:5", "a list where a single value is needed"),
        (19, "  - session 2 completes within 30 s", "19:13", "there is no session 2"),
        (19, "  - session 0 completes within 30 s", "19:13", "there is no session 0"),
        (19, "  - session one completes within 30 s", "19:13", "“one” is not a whole number"),
        (19, "  - session 1 completes within 30", "19:32", "“30” has no unit"),
        (
            19, "  - session 1 completes within 121 s", "19:32",
            "“121 s” is too late: the run ends at its limit of 2 min"
        ),
        (19, "  - session 1 resumes often", "19:23", "“often” does not say how often"),
        (19, "  - session 1 resumes at least x times", "19:32", "“x” is not a whole number"),
        (19, "  - at most 1.5 MBs sent again", "19:13", "“MBs” is not a unit of size"),
        (19, "  - \"at most 1.5 MBs sent again\"", "19:14", "“MBs” is not a unit of size"),
        (19, "  - >\n    at most 1.5 MBs sent again", "19:5", "“MBs” is not a unit of size"),
        (
            20, "  - incoming/vide.mov is published once", "20:5",
            "nothing is uploaded to “incoming/vide.mov”"
        ),
        (
            20, "  - session 1 completes within 30000 ms", "20:5",
            "“session 1 completes within 30000 ms” is expected twice"
        ),
    ]

    static let judgement: [Row] = [
        (22, "  S99: the server forgets its uploads", "22:3", "there is no invariant “S99”"),
        (22, "  S3: because", "22:7", "“because” is not a reason"),
        (22, nil, "21:8", "nothing where a mapping of keys to values is needed"),
        (23, "must-fail: L6", "23:12", "there is no check “L6”"),
        (
            23, "must-fail: session 1 completes within 31 s", "23:12",
            "there is no check “session 1 completes within 31 s”"
        ),
    ]
    private static func uplink(_ value: String) -> String { "  uplink: \(value)" }
    private static func filtered(_ stage: String) -> String {
        uplink("{ rate: 1 Mbit/s, delay: 2 s, \(stage) }")
    }
}
