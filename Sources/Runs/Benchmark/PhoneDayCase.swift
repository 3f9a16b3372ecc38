/// A day of a phone: hundreds of uploads, an app that is opened now and then and otherwise
/// suspended, the way to work and back through dead spots and several networks, a café with a
/// captive portal, a night, a restart.
struct PhoneDayCase: Hashable, Sendable {
    let fileCount: Int

    private typealias Entry = (second: Int, what: String)

    private var text: String {
        let files = (1...fileCount).map { "  \($0).jpg: 6 MB\n" }.joined()
        let queue = (1...fileCount).map { "  - { upload: \($0).jpg, to: in/\($0).jpg }\n" }.joined()
        return """
            name: a day of a phone
            why: what a day costs in which nearly nothing happens nearly all the time
            device: { os: ios-17 }
            links:
              wifi: { profile: apple-wifi, uplink: { rate: 10 Mbit/s } }
              cellular:
                uplink: { rate: 5 Mbit/s, delay: 30 ms, loss: 0.1 %, outages: [\(deadSpots)] }
                downlink: { rate: 20 Mbit/s, delay: 30 ms }
            limit: 24 h
            files:
            \(files)queue:
            \(queue)timeline:
            \(timeline)
            """
    }

    /// Ten seconds of every minute on the way to work and back.
    private var deadSpots: String {
        [7, 17].flatMap { hour in
            (0..<45).map { minute in
                let second = hour * 3_600 + minute * 60
                return "\(second + 15) s to \(second + 25) s"
            }
        }.joined(separator: ", ")
    }

    /// From the seventh hour on, the user opens the app every 15 minutes for 20 seconds. Everything
    /// except hand-overs happens between two looks.
    private var timeline: String {
        var entries: [Entry] = [(60, "app to background")]
        for look in (7 * 4)..<(23 * 4) {
            entries.append((look * 900, "app to foreground"))
            entries.append((look * 900 + 20, "app to background"))
        }
        for hour in [9, 13, 20] { entries.append((hour * 3_600 + 300, "memory pressure")) }
        entries.append((15 * 3_600 + 400, "phone reboots"))
        entries.append((18 * 3_600 + 500, "clock jumps 1 h ahead"))
        entries += handOvers
        return entries.sorted { $0.second < $1.second }
            .map { "  - \($0.second) s: \($0.what)\n" }.joined()
    }

    /// Hand-overs happen while the app is open, so that an upload is under way. The train has its
    /// own Wi-Fi for a quarter of an hour.
    private var handOvers: [Entry] {
        var entries: [Entry] = []
        for hour in [7, 17] {
            entries.append(Self.at(hour, 0, "wifi to cellular"))
            entries.append(Self.at(hour, 15, "wifi back as another network"))
            entries.append(Self.at(hour, 30, "wifi lost"))
            entries.append(Self.at(hour, 45, "wifi back as another network"))
        }
        return entries + [
            Self.at(12, 0, "wifi lost"), Self.at(12, 15, "wifi back as another network"),
            Self.at(12, 30, "captive portal appears"), Self.at(12, 45, "user logs in"),
            Self.at(13, 0, "cellular lost"), Self.at(13, 15, "cellular back"),
            Self.at(22, 15, "airplane mode on"), Self.at(22, 45, "airplane mode off"),
        ]
    }

    /// Eight seconds after the user has opened the app.
    private static func at(_ hour: Int, _ minute: Int, _ what: String) -> Entry {
        (hour * 3_600 + minute * 60 + 8, what)
    }

    func play() throws(RunFailure) -> BenchmarkSample {
        try BenchmarkSample(ofRuns: 1, of: text, path: "day.yaml")
    }
}
