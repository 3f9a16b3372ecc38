import Foundation
import Testing

/// A process's flight as a user has it: recorded, replayed, read.
@Suite struct FlightCommandTests {
    private static let flight = "out/green/flights/app-1-launch-1.flight"

    private func flown() throws -> Desk {
        let desk = try Desk()
        let answer = try desk.lab("run", "green.yaml", "--flights", "--report", "out")
        #expect(answer.code == 0, "\(answer.errors)")
        return desk
    }

    @Test func `a run with recorders leaves a flight that does the same again`() throws {
        let desk = try flown()
        let answer = try desk.lab("replay", Self.flight)
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.output.contains(" inputs of an app's engine.\n"), "\(answer.output)")
        #expect(answer.output.hasSuffix("Each input gives the recorded outputs.\n"))
        let steps = try desk.lab("replay", Self.flight, "--steps")
        #expect(
            steps.output.hasPrefix("1  0 s  restored([], accounts: [])\n"),
            "\(steps.output.prefix(300))")
        #expect(steps.output.contains("session(1, didDeactivate(outcome: completed))"))
        let plain = try desk.lab("run", "green.yaml", "--report", "out")
        #expect(plain.code == 0)
        #expect(!desk.holds(Self.flight), "it is of the run before")
    }

    @Test func `a live run leaves a flight of each launch, whole up to its kill`()
        throws
    {
        let desk = try Desk()
        let timeline = """
            timeline:
              - when session 1 at 40 %: app killed
              - 500 ms after app killed: app launched
            expect:
            """
        try desk.write(
            Desk.green.replacing("expect:", with: timeline), to: "killed.yaml")
        let run = try desk.lab("live", "killed.yaml", "--report", "out")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        for launch in 1...2 {
            let flight = "out/killed/flights/app-1-launch-\(launch).flight"
            let answer = try desk.lab("replay", flight)
            #expect(answer.code == 0, "\(answer.errors)\(answer.output)")
            #expect(answer.output.contains("Each input gives the recorded outputs."))
        }
        let first = try desk.lab("replay", "out/killed/flights/app-1-launch-1.flight", "--steps")
        #expect(first.output.contains("received(1, ["), "\(first.output)")
        #expect(!first.output.contains("didDeactivate"))
    }

    @Test func `a file that is cut is replayed as far as it goes`() throws {
        let desk = try flown()
        let whole = try desk.data(of: Self.flight)
        try whole.dropLast(3).write(to: desk.url.appending(path: "cut.flight"))
        let answer = try desk.lab("replay", "cut.flight")
        #expect(answer.code == 0)
        #expect(
            answer.output.contains("; the end is missing, because the process was killed there."))
    }

    @Test func `what is no flight is refused with its place and a remedy`() throws {
        let desk = try flown()
        try desk.write("hello\n", to: "odd.flight")
        var bytes = try desk.data(of: Self.flight)
        let header = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = header.split(separator: " ")
        try desk.write(
            (words.prefix(3) + ["kettle"]).joined(separator: " ") + "\n", to: "kettle.flight")
        bytes[bytes.startIndex + 60] ^= 1
        try bytes.write(to: desk.url.appending(path: "damaged.flight"))
        for (file, reason) in [
            ("odd.flight", "odd.flight: it is no flight recording"),
            (
                "kettle.flight",
                "is the flight of an unknown kind of process, “kettle”"
            ),
            ("damaged.flight", "damaged.flight: it is damaged"),
            ("none.flight", "none.flight cannot be read"),
        ] {
            let answer = try desk.lab("replay", file)
            #expect(answer.code == 2 && answer.output.isEmpty)
            #expect(answer.errors.contains(reason), "\(answer.errors)")
        }
        let steps = try desk.lab("replay", "out/green", "--steps")
        #expect(steps.code == 2)
        #expect(steps.errors.contains("--steps works only with a flight, and out/green is not one"))
        let quiet = try desk.lab("run", "green.yaml", "--digests", "--flights")
        #expect(quiet.code == 2)
        #expect(quiet.errors.contains("there is no place for the flights"), "\(quiet.errors)")
    }
}
