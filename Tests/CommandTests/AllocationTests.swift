import Foundation
import Testing

/// What a packet must not cost: memory asked for, references counted. The calls are counted in the
/// release build, as only the optimiser takes out what the language puts in.
@Suite(
    .enabled(
        if: CalledFunctions.canBeCounted,
        "needs valgrind and a release build; ./lab test sees to both"))
struct AllocationTests {
    @Test func `packets are carried without asking for memory or counting references`() throws {
        let calls = try CalledFunctions(of: ["bench-case", "bulk/loss-1"])
        let words = try #require(calls.output.firstMatch(of: /"dataPackets" : (\d+)/)).output
        let packets = try #require(Int(words.1))
        #expect(packets > 100_000)
        // The program's own beginning and end, rings that double, and lists of what lies beyond a
        // hole are all that is allowed: one packet in a hundred is lost here.
        for function in ["malloc", "swift_retain", "swift_release", "swift_allocObject"] {
            let count = try #require(calls.counts[function], "nobody calls \(function)")
            #expect(count < packets / 10, "\(count) calls of \(function) for \(packets) packets")
        }
    }
}

/// How often each function of a process is called, as callgrind counts it.
private struct CalledFunctions {
    private(set) var counts: [String: Int] = [:]
    let output: String

    private static let valgrind = "/usr/bin/valgrind"
    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/release/transferlab").standardized.path

    static var canBeCounted: Bool {
        [valgrind, program].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    init(of arguments: [String]) throws {
        let files = try TemporaryFolder()
        let profile = files.url.appending(path: "profile")
        let answer = try Program.run(
            ["--tool=callgrind", "--callgrind-out-file=\(profile.path)", Self.program]
                + arguments,
            of: Self.valgrind, in: files.url, environment: [:])
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        output = answer.output
        read(try String(contentsOf: profile, encoding: .utf8))
    }

    /// Its form: a function is named the first time, `cfn=(7) malloc`, and numbered from then on;
    /// the line after it says how often it is called from here, `calls=3 …`.
    private mutating func read(_ profile: String) {
        var names: [Substring: String] = [:]
        var called = ""
        for line in profile.split(separator: "\n") {
            if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
                let words = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
                guard let number = words.first else { continue }
                if words.count > 1 { names[number] = String(words[1]) }
                if line.hasPrefix("cfn=") { called = names[number] ?? "" }
            } else if line.hasPrefix("calls="),
                let count = line.dropFirst(6).split(separator: " ").first
            {
                counts[called, default: 0] += Int(count) ?? 0
            }
        }
    }
}
