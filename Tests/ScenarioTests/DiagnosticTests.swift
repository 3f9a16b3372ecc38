import Scenario
import Testing

@Suite struct DiagnosticTests {
    @Test func `a diagnostic prints its place, its words, its remedy, and the line with a caret`() {
        let text = ValidScenario.text(with: 12, replacedBy: "  - upload: vidoe.mov")
        let seen = ValidScenario.diagnostics(of: text).map(\.description)
        #expect(
            seen == [
                """
                x.yaml:12:13: error: there is no file “vidoe.mov”
                  expected a path under “files”
                  did you mean “video.mov”?
                  12 |   - upload: vidoe.mov
                     |             ^
                """
            ])
    }

    @Test(
        arguments: [
            (1, "nmae: a\nname: b", "“name”"),
            (5, "sede: 8", "“seed”"),
            (7, "  uplink: { rate: 10 mbps, delay: 20 ms }", "“10 Mbit/s”"),
            (7, "  uplink: { rate: 1 Mbit/s, delay: 2 s, loss: 0.02 }", "“2 %” or “0.02 %”"),
            (7, "  uplink: { rate: 1 Mbit/s, delay: 2 s, loss: 2 }", "“2 %”"),
            (10, "  video.mov: 8 gigs", nil),
            (10, "  video.mov: 8 KB", "“8 kB”"),
            (10, "  video.mov: 1,5 MB", "“1.5 MB”"),
            (16, "  - 4 sec: app killed", "“4 s”"),
            (16, "  - 4 s: app is killed", "“app killed”"),
            (19, "  - session 1 completes in 30 s", "“session 1 completes within 30 s”"),
            (19, "  - session 1 complete within 2 min", "“session 1 completes within 2 min”"),
            (19, "  - at most 0 B are sent again", "“at most 0 B sent again”"),
            (20, "  - incoming/video.mv is published once", "“incoming/video.mov”"),
            (23, "must-fail: session 1 completes within 31 s", "“session 1 completes within 30 s”"),
        ] as [(Int, String, String?)])
    func `what was probably meant is suggested`(line: Int, text: String, meant: String?) {
        let text = ValidScenario.text(with: line, replacedBy: text)
        #expect(ValidScenario.diagnostics(of: text).map(\.suggestion) == [meant])
    }

    @Test func `an unknown phrase is answered with all phrases there are`() {
        let text = ValidScenario.text(with: 16, replacedBy: "  - 4 s: everything explodes")
        let seen = ValidScenario.diagnostics(of: text).map { $0.expected ?? "" }
        #expect(seen.count == 1)
        for form in ["app killed", "app launched", "fault NAME on", "healing within TIME"] {
            #expect(seen.first?.contains("\n    \(form)") == true, "\(form)")
        }
    }

    @Test func `a phrase that is nearly right is answered with those that are like it`() {
        let text = ValidScenario.text(with: 16, replacedBy: "  - 4 s: phone locked")
        let seen = ValidScenario.diagnostics(of: text).map { $0.expected ?? "" }
        #expect(seen.count == 1)
        #expect(seen.first?.contains("\n    screen locked\n") == true)
        #expect(seen.first?.contains("app killed") == false)
        #expect(seen.first?.contains("sentences that ./lab schema lists") == true)
    }

    @Test func `a missing unit is answered with all units there are`() {
        let text = ValidScenario.text(with: 14, replacedBy: "limit: 5")
        let seen = ValidScenario.diagnostics(of: text).map(\.expected)
        #expect(seen == ["a time such as 250 ms (units: ns, µs, us, ms, s, min, h)"])
    }

    @Test func `all mistakes come in one go, in the order of the file`() {
        let text = """
            name: one upload
            sede: 7
            links:
              uplink: { rate: 10, delay: 20 ms, loss: 200 % }
            files:
              video.mov: 8
            queue:
              - upload: vidoe.mov
                to: ../video.mov
            timeline:
              - 4 s: app launched
              - 3 s: app killed
            expect:
              - session 2 completes within 30
              - it works
            must-fail: S99
            """
        let seen = ValidScenario.diagnostics(of: text).map { "\($0.line):\($0.column)" }
        #expect(
            seen == [
                "2:1", "4:3", "4:19", "4:43", "6:14", "8:13", "9:9", "11:10", "12:5",
                "14:13", "14:32", "15:5", "16:12",
            ])
    }

    @Test func `the excerpt of a long line is the part around the mistake`() {
        let line = "  uplink: { rate: 1 Mbit/s, delay: \(String(repeating: "0", count: 200)) s }"
        let text = ValidScenario.text(with: 7, replacedBy: line)
        let lines = ValidScenario.diagnostics(of: text).flatMap { diagnostic in
            diagnostic.description.split(separator: "\n").map(String.init)
        }
        let excerpt = lines.suffix(2)
        #expect(excerpt.allSatisfy { $0.count <= 80 }, "\(excerpt)")
        #expect(excerpt.last == "    | \(String(repeating: " ", count: 35))^")
    }
}
