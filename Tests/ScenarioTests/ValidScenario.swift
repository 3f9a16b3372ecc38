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

    /// The text with one line, counted from 1, replaced by other lines or left out.
    static func text(with line: Int, replacedBy replacement: String?) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.replaceSubrange(line - 1...line - 1, with: replacement.map { [$0] } ?? [])
        return lines.joined(separator: "\n")
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
