import Content
import Protocols
import Quantities
import Testing
import TransferEngine

@testable import Recording

/// A flight is recorded, read back whatever has happened to its file, and flown again.
@Suite struct FlightRecordingTests {
    /// A launch in which an upload is taken on, and an app asks for something that there is not.
    private static func file(
        makingSaid said: TransferEngine.Making? = nil
    ) -> (bytes: [UInt8], blocks: [Int]) {
        let making = TransferEngine.Making(
            asksForBackgroundTime: true, identity: 3, platform: .iOS)
        var engine = TransferEngine(making)
        var recorder = FlightRecorder<TransferEngine>(said ?? making, at: .start)
        let account = Account(
            host: "docroot", port: 80, credentials: CredentialHandle("the app's"))
        let request = SessionRequest(
            account: account,
            uploads: [.init(source: "video.mov", destination: "incoming/video.mov")])
        let inputs: [EngineInput] = [
            .restored([]), .command(.queue(.enqueue(request))), .command(.queue(.start)),
            .persisted(PersistTicket(1)), .persisted(PersistTicket(2)), .enteredBackground,
            .command(.queue(.session(.pause, SessionID(8)))),
        ]
        var bytes = FlightRecorder<TransferEngine>.beginning
        var blocks: [Int] = []
        var now = Instant.start
        for input in inputs {
            now = now + .milliseconds(40)
            var outputs: [EngineOutput] = []
            let deadline = engine.handle(input, at: now, into: &outputs)
            recorder.record(input, giving: outputs, wakingAt: deadline, at: now)
            blocks.append(bytes.count)
            bytes += recorder.takeBlock()
        }
        return (bytes, blocks)
    }

    private static func steps(
        of bytes: [UInt8]
    ) throws(FlightRecording.Mistake) -> [FlightRecording.Step] {
        var steps: [FlightRecording.Step] = []
        try FlightRecording(bytes).replay(TransferEngine.self) {
            steps.append($0)
            return true
        }
        return steps
    }

    @Test func `an engine of its own does the same again`() throws {
        let steps = try Self.steps(of: Self.file().bytes)
        #expect(steps.map(\.number) == Array(1...7))
        #expect(steps.filter { !$0.isAsRecorded }.isEmpty)
        #expect(steps[3].input == "persisted(1)")
        #expect(
            steps[4].outputs.contains { $0.hasPrefix("attempt(connect(1, to: {host: “docroot”") })
        #expect(steps[6].at == .start + .milliseconds(280))
    }

    @Test func `of credentials a recording holds the handle, and nothing else`() {
        let account = Account(
            host: "docroot", port: 80, credentials: CredentialHandle("the app's"))
        let text = FlightEncoder.value(of: account).text
        #expect(text == "{host: “docroot”, port: 80, credentials: {name: “the app's”}}")
    }

    @Test func `whoever has heard enough hears no more`() throws {
        var heard = 0
        try FlightRecording(Self.file().bytes).replay(TransferEngine.self) { step in
            heard += 1
            return step.number < 2
        }
        #expect(heard == 2)
    }

    @Test func `an engine that does something else is found out, at the first input`() throws {
        let other = TransferEngine.Making(
            asksForBackgroundTime: false, identity: 3, platform: .iOS)
        let steps = try Self.steps(of: Self.file(makingSaid: other).bytes)
        #expect(steps.first { !$0.isAsRecorded }?.input == "enteredBackground")
    }

    @Test func `wherever the file is cut, what stands before it can be replayed`() throws {
        let (bytes, blocks) = Self.file()
        let title = FlightRecorder<TransferEngine>.beginning.count
        for end in title + 1..<bytes.count {
            let recording = try FlightRecording(Array(bytes[..<end]))
            #expect(recording.isCut == !blocks.contains(end), "at \(end)")
            var steps = 0
            do throws(FlightRecording.Mistake) {
                try recording.replay(TransferEngine.self) {
                    #expect($0.isAsRecorded)
                    steps += 1
                    return true
                }
            } catch {
                #expect(error.reason.hasPrefix("it is empty"))
            }
            #expect(steps == blocks.dropFirst().filter { $0 <= end }.count)
        }
    }

    @Test func `nothing behind the end, as a loss of power leaves it, is an end`() throws {
        let recording = try FlightRecording(Self.file().bytes + [UInt8](repeating: 0, count: 99))
        #expect(recording.isCut)
    }

    @Test func `a byte that was changed is told with its place`() {
        let (bytes, blocks) = Self.file()
        var mistakes = 0
        for place in blocks[0]..<bytes.count {
            var damaged = bytes
            damaged[place] ^= 0x20
            do throws(FlightRecording.Mistake) {
                // A length that grew looks like a file that was cut.
                #expect(try FlightRecording(damaged).isCut, "at \(place)")
            } catch {
                mistakes += 1
                #expect(error.reason.contains("damaged"), "\(error)")
                #expect(error.reason.contains(" at byte "), "\(error)")
            }
        }
        #expect(mistakes > bytes.count / 2)
    }

    @Test func `what another engine was told is refused, with what is missing`() {
        var bytes = FlightBytes()
        bytes.put(FlightEncoder.value(of: ["identity": 3]))
        let file =
            FlightRecorder<TransferEngine>.beginning + FlightFormat.block(bytes.take())
        do throws(FlightRecording.Mistake) {
            _ = try Self.steps(of: file)
            Issue.record("it was flown")
        } catch {
            #expect(
                error.reason == """
                    the block at byte 28 holds no recording of this engine (input 0: \
                    “retryPolicy” is missing); replay it with the program that recorded it
                    """)
        }
    }

    @Test(arguments: [
        ("", "it is no flight recording: these begin with “transferlab flight 6”"),
        ("{\"scenario\": 1}\n", "it is no flight recording"),
        ("transferlab flight 5 engine\n", "written in version 5, and only version 6 can be read"),
    ])
    func `what is no recording is refused`(text: String, reason: String) {
        do throws(FlightRecording.Mistake) {
            _ = try FlightRecording(Array(text.utf8))
            Issue.record("it was read")
        } catch {
            #expect(error.reason.contains(reason))
        }
    }
}
