import Foundation

/// A folder with scenarios in it, at which a user sits and types commands.
final class Desk {
    private let folder: TemporaryFolder

    static let green = """
        name: a small upload
        why: the commands need something quick to play
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms, loss: 1 % }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files:
          note.txt: 80 kB
        queue:
          - upload: note.txt
            to: incoming/note.txt
        expect:
          - session 1 completes within 30 s

        """

    /// Nothing crosses this link in a millisecond.
    static let red = green.replacing("a small upload", with: "an upload in no time")
        .replacing("within 30 s", with: "within 1 ms")

    /// The folder of this house's own scenarios.
    static let houseScenarios = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scenarios").path

    /// `green.yaml` and `red.yaml` lie there already.
    init() throws {
        folder = try TemporaryFolder()
        try write(Self.green, to: "green.yaml")
        try write(Self.red, to: "red.yaml")
    }

    var url: URL { folder.url }

    func write(_ text: String, to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func data(of path: String) throws -> Data { try Data(contentsOf: url.appending(path: path)) }

    func text(of path: String) throws -> String {
        String(decoding: try data(of: path), as: UTF8.self)
    }

    func holds(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: path).path)
    }

    func lab(_ arguments: String..., environment: [String: String] = [:]) throws -> Program.Answer {
        try Program.run(arguments, in: url, environment: environment)
    }

    func shell(_ script: String, environment: [String: String] = [:]) throws -> Program.Answer {
        try Program.shell(script, in: url, environment: environment)
    }

    /// The same on a pseudo-terminal of 80 columns, where a person would sit.
    func onTerminal(
        _ script: String, environment: [String: String] = [:]
    ) throws -> Program.Answer {
        var surroundings = ["lab": Program.path, "TERM": "xterm"]
        surroundings.merge(environment) { $1 }
        return try Program.run(
            ["-qec", "stty cols 80; \(script)", "/dev/null"], of: "/usr/bin/script", in: url,
            environment: surroundings)
    }
}
