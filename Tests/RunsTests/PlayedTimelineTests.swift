import Checks
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Timelines that hang on what happens in a run, played in the virtual world.
@Suite struct PlayedTimelineTests {
    private func play(
        _ timeline: String, more: String = "", size: String = "4 MB", wifi: Bool = false
    ) throws -> PlayedRun {
        let links =
            wifi
            ? "  wifi: { profile: apple-wifi }"
            : "  uplink: { rate: 10 Mbit/s, delay: 20 ms }\n"
                + "  downlink: { rate: 10 Mbit/s, delay: 20 ms }"
        let text = """
            name: a timeline
            why: what it waits for has to come
            links:
            \(links)
            files:
              video.mov: \(size)
            queue: [{ upload: video.mov, to: incoming/video.mov }]
            limit: 5 min
            \(more)
            timeline:
            \(timeline.split(separator: "\n").map { "  - \($0)" }.joined(separator: "\n"))
            """
        return try PlayedRun(Scenario.read(text: text, path: "timeline.yaml"))
    }

    @Test(arguments: [UInt64(11), 40, 95])
    func `an app is killed when so much is up, to the hundredth of the file`(share: UInt64) throws {
        let run = try play(
            "when session 1 at \(share) %: app killed\n3 s after app killed: app launched")
        let events = try run.events()
        let killed = try #require(
            events.firstIndex { if case .device(.appKilled) = $0.fact { true } else { false } })
        let moved = events[..<killed].compactMap { event -> ByteCount? in
            guard case .queue(.callback(_, .progress(_, let done, _, _))) = event.fact else {
                return nil
            }
            return done
        }
        let last = try #require(moved.last).bytes
        #expect((share * 40_000...share * 40_000 + 80_000).contains(last), "\(last)")
        #expect(moved.dropLast().allSatisfy { $0.bytes < share * 40_000 })
        let launched = try #require(
            events.last { if case .device(.appLaunched(2, _)) = $0.fact { true } else { false } })
        #expect(launched.at == events[killed].at + .seconds(3))
        #expect(run.model.judgement.isGreen, "\(run.model.verdicts)")
    }

    @Test func `what never comes makes the run red, unless it may fail to come`() throws {
        let red = try play("when session 1 fails: app killed")
        let broken = red.model.verdicts.filter {
            if case .broken = $0.answer { true } else { false }
        }
        #expect(broken.map(\.rule) == ["it comes to “session 1 fails”"])
        #expect(try play("when session 1 fails, if it comes: app killed").model.judgement.isGreen)
    }

    @Test func `what the server does can be waited for`() throws {
        let run = try play("1 s after the server has published incoming/video.mov: app killed")
        let events = try run.events()
        let published = try #require(
            events.first { if case .server(.published) = $0.fact { true } else { false } })
        let killed = try #require(
            events.first { if case .device(.appKilled) = $0.fact { true } else { false } })
        #expect(killed.at == published.at + .seconds(1))
    }

    @Test func `a fault that takes effect can be waited for, and is counted`() throws {
        let more = """
            device: { os: ios-17 }
            server: { faults: { busy: { do: answer 503, method: PATCH, times: 2 } } }
            expect: [fault busy takes effect twice, session 1 completes within 1 min]
            """
        let run = try play("500 ms after fault busy takes effect: app to background", more: more)
        let events = try run.events()
        let effects = events.filter {
            if case .server(.fault("busy", _, _, _, _)) = $0.fact { true } else { false }
        }
        let hidden = events.filter {
            if case .device(.appEntered(_, .background, _)) = $0.fact { true } else { false }
        }
        #expect(effects.count == 2)
        #expect(hidden.first?.at == effects.first.map { $0.at + .milliseconds(500) })
        #expect(run.model.judgement.isGreen, "\(run.model.verdicts)")
        let once = more.replacing("twice", with: "once")
        #expect(try !play("1 s: app to background", more: once).model.judgement.isGreen)
    }

    @Test func `only the time that an entry names counts`() throws {
        let run = try play(
            """
            1 s: app killed
            2 s: app launched
            3 s: app killed
            500 ms after the second app killed: app launched
            """)
        let events = try run.events()
        let killed = events.filter {
            if case .device(.appKilled) = $0.fact { true } else { false }
        }
        let launched = events.filter {
            if case .device(.appLaunched) = $0.fact { true } else { false }
        }
        #expect(killed.count == 2)
        #expect(
            launched.map(\.at)
                == [.start, .start + .seconds(2), .start + .milliseconds(3_500)])
        #expect(run.model.judgement.isGreen, "\(run.model.verdicts)")
        let red = try play("1 s: app killed\n1 s after the second app killed: app launched")
        #expect(
            red.model.verdicts.filter(\.isBroken).map(\.rule)
                .contains("it comes to “the second app killed”"))
    }

    @Test(arguments: [UInt64(11), 40, 95])
    func `a task's progress can be waited for, also while its app is suspended`(share: UInt64)
        throws
    {
        let run = try play(
            """
            200 ms: app to background
            when task 1 at \(share) %: wifi lost
            5 s after wifi lost: wifi back
            """,
            more: """
                device: { os: ios-17, background-task: off }
                background: [{ upload: big.mov, to: big.mov }]
                expect: [no task fails, task 1 is tried again never]
                """, size: "100 kB\n  big.mov: 40 MB", wifi: true)
        let events = try run.events()
        let lost = try #require(
            events.firstIndex { $0.fact == .network(.happens("Wi-Fi is lost")) })
        let moved = events[..<lost].compactMap { event -> UInt64? in
            guard let (item, done, _) = event.fact.progress, item.facade == .background else {
                return nil
            }
            return done.bytes
        }
        #expect(moved.dropLast().allSatisfy { $0 < share * 400_000 })
        #expect((share * 400_000...share * 400_000 + 800_000).contains(moved.last ?? 0))
        let isSuspended = events[..<lost].contains {
            if case .device(.appEntered(_, .suspended, _)) = $0.fact { true } else { false }
        }
        #expect(isSuspended == (share > 50))
        #expect(run.model.judgement.isGreen, "\(run.model.verdicts)")
    }

    @Test func `healing ends what the server does wrong, and says until when all has to end`()
        throws
    {
        let run = try play(
            """
            when session 1 retries: fault other on
            5 s after fault other on: healing within 2 min
            """,
            more: """
                server:
                  faults:
                    busy: { do: answer 503, method: PATCH }
                    other: { do: reset, starts: off }
                """)
        let events = try run.events()
        let healing = try #require(
            events.first { if case .run(.healing) = $0.fact { true } else { false } })
        #expect(
            healing.fact == .run(.healing(name: "healing", deadline: healing.at + .seconds(120))))
        let switched = events.filter {
            if case .server(.faultSwitched(_, false)) = $0.fact { true } else { false }
        }
        #expect(switched.map(\.at) == [healing.at, healing.at])
        #expect(run.model.judgement.isGreen, "\(run.model.verdicts)")
        #expect(run.model.figures.sessions.allSatisfy { $0.outcome == .completed })
    }

    @Test func `what would break something after the healing is left out`() throws {
        let run = try play("500 ms: healing within 1 min\nwhen session 1 at 40 %: app killed")
        let kills = try run.events().count {
            if case .device(.appKilled) = $0.fact { true } else { false }
        }
        #expect(kills == 0 && run.model.judgement.isGreen, "\(run.model.verdicts)")
    }

    @Test func `an app that dies and comes back by chance gets through in the end`() throws {
        let run = try play(
            "about every 4 s from 0 s to 40 s: app killed\n1 s after app killed: app launched")
        let kills = try run.events().count {
            if case .device(.appKilled) = $0.fact { true } else { false }
        }
        #expect(kills > 0)
        #expect(run.model.judgement.isGreen, "\(run.model.verdicts)")
    }

    @Test func `what brings itself about at once does not hold time up`() throws {
        let run = try play(
            "1 s: fault a on\n0 s after fault a on: fault a on",
            more: "server: { faults: { a: { do: reset, starts: off, times: 1 } } }")
        #expect(run.model.judgement.isGreen, "\(run.model.verdicts)")
    }
}
