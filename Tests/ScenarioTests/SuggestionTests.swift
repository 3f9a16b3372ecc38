import Scenario
import Testing

/// What is suggested for a sentence that is none: what a newcomer probably meant, or nothing.
@Suite struct SuggestionTests {
    typealias Slip = (words: String, meant: String?)

    static let actions: [Slip] = [
        ("app kiled", "app killed"), ("kill app", "app killed"), ("kill the app", "app killed"),
        ("the app is killed", "app killed"), ("App killed", "app killed"),
        ("launch app", "app launched"), ("app goes to background", "app to background"),
        ("app in background", "app to background"), ("resume transfer 1", "transfer 1 is resumed"),
        ("transfer 1 resumes", "transfer 1 is resumed"), ("cancel task 2", "task 2 is cancelled"),
        ("suspend transfer 1", "transfer 1 is suspended"),
        ("retry operation 1", "operation 1 is retried"),
        ("session 1 is paused", "pause session 1"), ("edit video.mov", "video.mov edited"),
        ("lock screen", "screen locked"),
        ("disk is full", "disk full"),
        ("switch fault busy on", "fault busy on"), ("phone locked", nil),
        ("everything explodes", nil),
        ("the moon rises", nil), ("reboot", nil), ("nothing", nil),
        ("heal within 30 s", "healing within 30 s"),
    ]

    static let expectations: [Slip] = [
        ("operation 1 fails", "operation 1 fails TIMES"),
        ("task 1 fails", "task 1 fails TIMES"),
        ("session 1 completes", "session 1 completes within TIME"),
        ("session 1 completed in 5 s", "session 1 completes within 5 s"),
        ("session 1 complete within 5 s", "session 1 completes within 5 s"),
        ("session 1 is resumed once", "session 1 resumes once"),
        ("session 1 resume exactly 2 times", "session 1 resumes exactly 2 times"),
        ("in/a.mov published once", "in/a.mov is published once"),
        ("server answered 503 twice", "the server answers 503 twice"),
        ("at most 1 MB is sent again", "at most 1 MB sent again"),
        ("less than 1 MB sent again", nil), ("task 1 answered 404", "task 1 is answered 404"),
        ("everything works", nil), ("no packet is lost", nil), ("session 1 is happy", nil),
        ("the user sees progress", nil),
    ]

    @Test(arguments: actions) func `of what can happen, only what is near is suggested`(
        slip: Slip
    ) {
        #expect(suggestion(in: "timeline: ['5 s: \(slip.words)']") == slip.meant)
    }

    @Test(arguments: expectations) func `of what can be expected, only what is near is suggested`(
        slip: Slip
    ) {
        #expect(suggestion(in: "expect: ['\(slip.words)']") == slip.meant)
    }

    private func suggestion(in more: String) -> String? {
        let text = """
            name: a slip
            why: somebody has guessed the grammar
            device: { os: ios-17 }
            links: { profile: apple-lte }
            files: { video.mov: 1 MB }
            queue: [{ upload: video.mov, to: in/a.mov }]
            operations: [{ upload: video.mov, to: in/b.mov }]
            background: [{ upload: video.mov, to: in/c.mov }, { download: in/d.mov }]
            resumable: [{ upload: video.mov, to: e, bucket: b }]
            server: { faults: { busy: { do: answer 503, starts: off } } }
            \(more.replacing("['", with: "[").replacing("']", with: "]"))

            """
        let found = ValidScenario.diagnostics(of: text)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.message.contains(" is not ") ?? false, "\(found)")
        return found.first?.suggestion?.replacing("“", with: "").replacing("”", with: "")
    }
}
