import Scenario

/// A scenario without a mistake, and ways to put one in.
enum ValidScenario {
    static let text = """
        name: app killed and started again
        why: after a restart an upload goes on where the server is
        cites: [A3, S7]
        tags: [short]
        seed: 7
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB, loss: 2 % }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files:
          video.mov: 8 MB
        queue:
          - upload: video.mov
            to: incoming/video.mov
        limit: 2 min
        timeline:
          - 4 s: app killed
          - 7 s: app launched
        expect:
          - session 1 completes within 30 s
          - incoming/video.mov is published once
        excuse:
          S3: the server forgets its uploads
        must-fail: L1

        """

    /// Another one, with what makes several of one, waits, repeats, and is left to chance.
    static let rich = """
        include: [there.part.yaml]
        name: everything that can be drawn
        why: whatever happens to it, it is read or refused
        for each: { controller: [cubic, bbr], size: [1 MB, 20 kB] }
        exclude: [{ controller: bbr, size: 1 MB }]
        seed: [1 to 3, 7]
        tcp: { controller: '${controller}' }
        links: { profile: apple-lte }
        files: { a.mov: '${size}', b.mov: 8 MB }
        queue: [{ upload: a.mov, to: in/a.mov }, { upload: b.mov, to: in/b.mov }]
        app:
          - on launch: start queue
          - on completed session 1: enqueue session 2
        server: { faults: { busy: { do: answer 503, starts: off } } }
        limit: 10 min
        timeline:
          - 1 s: app killed
          - 3 s after app killed: app launched
          - when session 1 at 40 %: fault busy on
          - when session 1 retries, if it comes: fault busy off
          - whenever session 2 fails: app killed
          - 2 s after the server has published in/a.mov: app killed
          - 3 times, every 20 s from 5 s: fault busy on
          - twice at random between 10 s and 2 min: app killed
          - about every 30 s from 1 s to 5 min: app killed
          - 6 min: healing within 3 min
        expect: [sessions complete in order]

        """

    /// The text with one line, counted from 1, replaced by other lines or left out.
    static func text(with line: Int, replacedBy replacement: String?) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.replaceSubrange(line - 1...line - 1, with: replacement.map { [$0] } ?? [])
        return lines.joined(separator: "\n")
    }

    /// The same on a phone with Wi-Fi and a cell.
    static func onTwoNetworks(_ text: String) -> String {
        text.replacing(
            "  uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB, loss: 2 % }",
            with: "  wifi: { profile: apple-wifi }"
        ).replacing(
            "  downlink: { rate: 10 Mbit/s, delay: 20 ms }",
            with: "  cellular: { profile: apple-lte }")
    }

    static func diagnostics(of text: String) -> [Diagnostic] {
        do {
            _ = try Scenario.read(text: text, path: "x.yaml")
            return []
        } catch {
            return error.diagnostics
        }
    }
}
