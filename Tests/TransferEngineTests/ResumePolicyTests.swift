import Content
import Quantities
import Testing
import TransferEngine

/// A15: by what a source is known to be what it was; S2, and its exception.
@Suite struct ResumePolicyTests {
    enum Change: CaseIterable {
        case none, touch, edit, editUnseen, editBetweenSamples

        func apply(to world: inout DirectWorld) {
            switch self {
            case .none: break
            case .touch: world.dates["video.mov"] = 7
            case .edit: world.files["video.mov"]?.version = StartingOverTests.edited
            case .editUnseen, .editBetweenSamples:
                world.dates["video.mov"] = 0
                world.files["video.mov"]?.version = StartingOverTests.edited
                if self == .editBetweenSamples {
                    world.samples["video.mov"] = KilledAnywhereTests.version
                }
            }
        }
    }

    /// Which changes each policy takes for one.
    static let seen: [ResumePolicy: [Change]] = [
        .attributes: [.touch, .edit],
        .sparseChecksum: [.touch, .edit, .editUnseen],
        .fullChecksum: [.edit, .editUnseen, .editBetweenSamples],
    ]

    @Test(arguments: [ResumePolicy.attributes, .sparseChecksum, .fullChecksum], Change.allCases)
    func `each policy sees what it looks at, and goes on with the rest`(
        policy: ResumePolicy, change: Change
    ) {
        var begun = 0
        for world in Self.worlds(policy, killedWhile: { change.apply(to: &$0) }) {
            let resumes = world.notes.contains { note in
                if case .resumes(_, _, let offset) = note { offset > .zero } else { false }
            }
            let startsOver = world.notes.contains(
                .startsOver(TransferName(1), because: Self.changed))
            guard resumes || startsOver else { continue }
            // Of one that was complete only the answer was lost.
            guard world.received.last?.end != KilledAnywhereTests.size || startsOver else {
                continue
            }
            begun += 1
            #expect(
                startsOver == (Self.seen[policy] ?? []).contains(change), "after \(world.killed)")
            #expect(world.kept.map(\.state) == [.completed], "killed after \(world.killed)")
        }
        #expect(begun > 0 || change != .edit)
    }

    @Test(arguments: [ResumePolicy.attributes, .sparseChecksum, .fullChecksum])
    func `a resume that may be mistaken is marked, and no other is`(policy: ResumePolicy) {
        var marks = 0
        for world in Self.worlds(policy, killedWhile: { _ in }) {
            marks += world.notes.count { if case .isUnproven = $0 { true } else { false } }
        }
        #expect((marks > 0) == (policy != .fullChecksum))
    }

    @Test func `under none what the server has is thrown away, and all of it is sent`() {
        var thrown = 0
        for world in Self.worlds(.none, killedWhile: { _ in }) {
            #expect(world.publications["in/video.mov"] == [[KilledAnywhereTests.whole]])
            let resumed = world.notes.contains { note in
                if case .resumes(_, _, let offset) = note {
                    offset > .zero && offset < KilledAnywhereTests.size
                } else {
                    false
                }
            }
            #expect(!resumed, "killed after \(world.killed)")
            if world.asked.contains("DELETE /tus/1") { thrown += 1 }
        }
        #expect(thrown > 0)
    }

    @Test func `a new date on the same bytes is no change under a full checksum`() {
        for world in Self.worlds(.fullChecksum, killedWhile: { Change.touch.apply(to: &$0) }) {
            #expect(
                world.publications["in/video.mov"] == [[KilledAnywhereTests.whole]],
                "killed after \(world.killed)")
            #expect(!world.asked.contains("DELETE /tus/1"), "killed after \(world.killed)")
        }
    }

    /// The exception of S2: nobody can see it, and the log says that nobody has looked.
    @Test func `under attributes an edit that hides is joined to what was sent before`() {
        let joined = Self.worlds(.attributes, killedWhile: { Change.editUnseen.apply(to: &$0) })
            .filter { ($0.publications["in/video.mov"]?.first?.count ?? 0) > 1 }
        #expect(!joined.isEmpty)
        for world in joined {
            #expect(
                world.notes.contains { if case .isUnproven = $0 { true } else { false } },
                "killed after \(world.killed)")
        }
    }

    /// An app can ask for another policy only of a session that does not run.
    @Test func `a digest of another kind proves nothing`() {
        for world in Self.worlds(
            .sparseChecksum,
            killedWhile: { world in
                world.changeKept { $0.settings.resume = .fullChecksum }
            })
        {
            #expect(
                world.publications["in/video.mov"] == [[KilledAnywhereTests.whole]],
                "killed after \(world.killed)")
        }
    }

    private static let changed = "the source has changed"

    /// Every world in which the app was killed after it had added its session, played to the end.
    private static func worlds(
        _ policy: ResumePolicy, killedWhile meanwhile: @escaping (inout DirectWorld) -> Void
    ) -> [DirectWorld] {
        (0..<70).compactMap { step in
            var world = DirectWorld()
            world.files["video.mov"] = (KilledAnywhereTests.version, KilledAnywhereTests.size)
            var request = KilledAnywhereTests.request("video.mov", to: "in/video.mov")
            request.settings.resume = policy
            world.launch(enqueuing: [request])
            world.killAfter = step
            world.meanwhile = meanwhile
            world.run()
            return world.killed == 0 || world.kept.isEmpty ? nil : world
        }
    }
}
