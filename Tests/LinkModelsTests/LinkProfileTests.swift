import LinkModels
import Quantities
import Testing

@Suite struct LinkProfileTests {
    /// Name, kbit/s down and up, delay in ms down and up, jitter in ms, loss.
    static let table = """
        apple-3g 780 330 100 100 0 0 %
        apple-dsl 2000 256 5 5 0 0 %
        apple-lte 50000 10000 50 65 0 0 %
        apple-wifi 40000 33000 1 1 0 0 %
        apple-edge 240 200 400 440 0 0 %
        apple-very-bad 1000 1000 500 500 0 10 %
        apple-100-loss 1000000 1000000 0 0 0 100 %
        wpt-cable 5000 1000 14 14 0 0 %
        wpt-3g 1600 768 150 150 0 0 %
        wpt-3g-slow 400 400 200 200 0 0 %
        wpt-4g 9000 9000 85 85 0 0 %
        wpt-lte 12000 12000 35 35 0 0 %
        wpt-2g 280 256 400 400 0 0 %
        android-umts 1920 128 35 35 165 0 %
        android-hsdpa 14400 348 0 0 0 0 %
        satellite-geo 50000 5000 300 300 0 0.1 %
        intercontinental 100000 100000 100 100 0 0.5 %
        5g-mid-band 150000 30000 15 15 5 0 %
        5g-mmwave 1000000 100000 10 10 5 0 %
        starlink 178000 17000 20 20 0 0 %
        wifi-ac 433300 433300 1 1 0 0 %
        """

    @Test func `the profiles are those of the table, each with its source`() {
        let lines = LinkProfile.all.map { profile in
            let (down, up) = (profile.down, profile.up)
            let rates = [down, up].map { "\($0.rate.bitsPerSecond / 1_000)" }
            let delays = [down, up].map { "\($0.delay.nanoseconds / 1_000_000)" }
            let jitter = "\(down.jitter.nanoseconds / 1_000_000)"
            let words = [profile.name] + rates + delays + [jitter, "\(down.loss)"]
            return words.joined(separator: " ")
        }
        #expect(lines == Self.table.split(separator: "\n").map(String.init))
        #expect(LinkProfile.all.allSatisfy { $0.up.loss == $0.down.loss && !$0.source.isEmpty })
        #expect(LinkProfile.all.allSatisfy { $0.up.jitter == $0.down.jitter })
    }
}
