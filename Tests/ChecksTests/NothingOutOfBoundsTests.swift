import RunLog
import Testing

@testable import Checks

@Suite struct NothingOutOfBoundsTests {
    private let suspended = RunEvent.Fact.device(
        .appEntered(launch: 1, stage: .suspended, because: "it is behind"))

    @Test func `either half makes it fall, and either is evidence`() {
        let deed = SmallLog.told(.willActivate)
        #expect(
            answer(
                of: NothingOutOfBounds(), to: [.device(.appLaunched(launch: 1)), suspended, deed])
                == broken(
                    at: 2, expected: "nothing from an app that is suspended",
                    seen: "queue: session 1 will activate"))
        #expect(
            answer(of: NothingOutOfBounds(), to: [.device(.appLaunched(launch: 1)), suspended])
                == .held)
    }

    @Test func `without evidence for either it is not applicable`() {
        guard case .notApplicable(let why) = answer(of: NothingOutOfBounds(), to: []) else {
            Issue.record("an empty log was judged")
            return
        }
        #expect(why.hasSuffix(", and no app was suspended or dead in this run"))
    }
}
