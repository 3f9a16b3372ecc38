import Content
import Protocols
import Quantities
import Testing

@testable import TransferEngine

/// A15: what becomes of an upload that has a namesake where it goes to.
@Suite struct OverwritePolicyTests {
    static let size = KilledAnywhereTests.size
    static let other = ContentRange(FileVersion(file: 9, edit: 0), offset: .zero, length: size)
    static let longer = ContentRange(
        FileVersion(file: 9, edit: 0), offset: .zero, length: ByteCount(2_000_000))

    enum Outcome { case published, kept, refused }

    /// The source is of second 100. A target has its content and its date.
    static let table: [(OverwritePolicy, [ContentRange]?, UInt64, Outcome)] = [
        (.never, nil, 0, .published),
        (.never, [KilledAnywhereTests.whole], 0, .refused),
        (.never, [other], 0, .refused),
        (.always, [KilledAnywhereTests.whole], 200, .published),
        (.ifDifferent, nil, 0, .published),
        (.ifDifferent, [KilledAnywhereTests.whole], 0, .kept),
        (.ifDifferent, [KilledAnywhereTests.whole], 200, .kept),
        (.ifDifferent, [other], 200, .published),
        (.ifDifferent, [longer], 200, .published),
        (.ifOlder, nil, 0, .published),
        (.ifOlder, [KilledAnywhereTests.whole], 99, .published),
        (.ifOlder, [other], 99, .published),
        (.ifOlder, [other], 100, .kept),
        (.ifOlder, [other], 200, .kept),
        (.ifDifferentAndOlder, nil, 0, .published),
        (.ifDifferentAndOlder, [other], 99, .published),
        (.ifDifferentAndOlder, [longer], 99, .published),
        (.ifDifferentAndOlder, [KilledAnywhereTests.whole], 99, .kept),
        (.ifDifferentAndOlder, [other], 100, .kept),
        (.ifDifferentAndOlder, [longer], 200, .kept),
    ]

    @Test(arguments: table.indices)
    func `each policy decides by what stands there, its content and its date`(row: Int) {
        let (policy, target, date, outcome) = Self.table[row]
        var world = Self.world(policy)
        if let target { world.objects["in/video.mov"] = (target, date) }
        world.run()
        let published = world.publications["in/video.mov"] ?? []
        #expect(published == (outcome == .published ? [[KilledAnywhereTests.whole]] : []))
        #expect(world.kept.map(\.state) == [outcome == .refused ? .failed : .completed])
        let end = world.callbacks.last
        switch outcome {
        case .published, .kept: #expect(end == .didDeactivate(.completed))
        case .refused: #expect(end == .didDeactivate(.failed(.alreadyExists)))
        }
        // What is left as it is counts as transferred, and nothing of it is.
        let uploads = world.asked.filter { $0.hasPrefix("POST") || $0.hasPrefix("PATCH") }
        #expect(uploads.isEmpty == (outcome != .published))
        #expect(world.asked.contains("HEAD /dav/in/video.mov") == (policy != .always))
        if outcome == .kept {
            #expect(world.callbacks.contains(.didStartFile(name: "video.mov")))
            #expect(world.callbacks.contains(.didStopFile(name: "video.mov")))
        }
    }

    @Test func `a file that exists is no matter for another attempt`() {
        var world = Self.world(.never)
        world.objects["in/video.mov"] = ([Self.other], 0)
        world.run()
        #expect(world.elapsed == .zero)
        #expect(TransferError.alreadyExists.code == 42)
        #expect(!TransferError.alreadyExists.isRetryable)
    }

    @Test(arguments: OverwritePolicy.allCases)
    func `killed after any step, an upload is not hindered by what it has published itself`(
        policy: OverwritePolicy
    ) {
        var plain = Self.world(policy)
        plain.run()
        for step in 0..<plain.carriedOut {
            var world = Self.world(policy)
            world.killAfter = step
            world.run()
            if world.kept.isEmpty { continue }
            #expect(
                world.publications["in/video.mov"] == [[KilledAnywhereTests.whole]],
                "killed after \(step)")
            #expect(world.kept.map(\.state) == [.completed], "killed after \(step)")
        }
    }

    /// S8: its last answer is lost, and so is what the server knew of it; the object is there.
    @Test(arguments: OverwritePolicy.allCases)
    func `an upload that the server has published and forgotten is found by its content`(
        policy: OverwritePolicy
    ) {
        var found = 0
        for step in 0..<80 {
            var world = Self.world(policy)
            world.killAfter = step
            world.meanwhile = { $0.forgetUploads() }
            world.run()
            if world.kept.isEmpty || world.killed == 0 { continue }
            #expect(
                world.publications["in/video.mov"] == [[KilledAnywhereTests.whole]],
                "killed after \(step)")
            #expect(world.kept.map(\.state) == [.completed], "killed after \(step)")
            if world.notes.contains(where: { if case .keepsTarget = $0 { true } else { false } }) {
                found += 1
            }
        }
        #expect(found > 0)
    }

    @Test func `who overwrites in any case need not be allowed to look (S8)`() {
        var bench = QueueBench(sessions: 1)
        let file = SourceFingerprint(size: ByteCount(9), modified: 0)
        bench.connect()
        bench.finds(.regularFile(file))
        bench.hears("201 Created\r\nTus-Resumable: 1.0.0\r\nLocation: /tus/1")
        bench.lose()
        bench.wait(.seconds(2))
        bench.connect()
        bench.finds(.regularFile(file))
        for answer in ["410 Gone", "404 Not Found", "403 Forbidden"] {
            bench.hears("\(answer)\r\nTus-Resumable: 1.0.0")
        }
        let asked = bench.outputs.compactMap { output -> String? in
            guard case .note(let note) = output,
                case .connection(.request(_, let method, _)) = note.fact
            else { return nil }
            return method
        }
        #expect(asked == ["POST", "PATCH", "HEAD", "DELETE", "HEAD", "POST"])
    }

    @Test(arguments: [OverwritePolicy.never, .always, .ifDifferent])
    func `only who may not overwrite asks the server to replace nothing`(policy: OverwritePolicy) {
        var bench = QueueBench(sessions: 0)
        var request = QueueBench.request
        request.settings.overwrite = policy
        bench.tell(.command(.queue(.enqueue(request))))
        bench.connect()
        bench.finds(.regularFile(SourceFingerprint(size: ByteCount(9), modified: 0)))
        if policy != .always { bench.hears("404 Not Found") }
        let asked = bench.outputs.compactMap { output -> String? in
            guard case .attempt(.write(_, let segments)) = output,
                case .bytes(let bytes)? = segments.first
            else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(asked.last?.hasPrefix("POST ") == true)
        #expect(asked.last?.contains("If-None-Match: *") == (policy == .never))
        guard policy == .never else { return }
        bench.hears("201 Created\r\nTus-Resumable: 1.0.0\r\nLocation: /tus/1")
        bench.hears("412 Precondition Failed\r\nTus-Resumable: 1.0.0")
        #expect(bench.errors == [.alreadyExists])
    }

    /// What stands there may be its own, and is not: somebody else's.
    @Test func `what another has published meanwhile is refused under never`() {
        var refused = 0
        for step in 0..<80 {
            var world = Self.world(.never)
            world.killAfter = step
            world.meanwhile = {
                guard $0.publications["in/video.mov"] == nil else { return }
                $0.forgetUploads()
                $0.objects["in/video.mov"] = ([Self.other], 0)
            }
            world.run()
            if world.kept.isEmpty || world.killed == 0 { continue }
            if world.kept.map(\.state) == [.failed] {
                refused += 1
                #expect(world.publications["in/video.mov"] == nil)
                #expect(world.callbacks.last == .didDeactivate(.failed(.alreadyExists)))
            }
        }
        #expect(refused > 0)
    }

    @Test func `a completed session that is run again asks its policy again`() {
        var world = Self.world(.ifDifferent)
        world.run()
        world.command(.session(.run, SessionID(1)))
        world.run()
        #expect(world.publications["in/video.mov"]?.count == 1)
        #expect(world.kept.map(\.state) == [.completed])
        world.files["video.mov"] = (StartingOverTests.edited, Self.size)
        world.command(.session(.run, SessionID(1)))
        world.run()
        #expect(world.publications["in/video.mov"]?.count == 2)
    }

    @Test func `an empty file is the same as another empty one`() {
        var world = Self.world(.ifDifferent)
        world.files["video.mov"] = (KilledAnywhereTests.version, .zero)
        world.objects["in/video.mov"] = ([], 0)
        world.run()
        #expect(world.publications.isEmpty)
        #expect(world.kept.map(\.state) == [.completed])
    }

    // MARK: What a server does not tell

    @Test(arguments: [OverwritePolicy.ifOlder, .ifDifferentAndOlder])
    func `without a date nothing is overwritten that may be newer: error 43`(
        policy: OverwritePolicy
    ) {
        let object = ObjectState(size: Self.size, modified: nil, digest: nil)
        #expect(Self.decide(policy, object) == .fail(.cannotStat))
        #expect(TransferError.cannotStat.code == 43)
    }

    @Test func `what is not known to be the same is overwritten`() {
        let sized = ObjectState(size: Self.size, modified: 200, digest: nil)
        #expect(Self.decide(.ifDifferent, sized) == .overwrite)
        let nothing = ObjectState(size: nil, modified: nil, digest: nil)
        #expect(Self.decide(.ifDifferent, nothing) == .overwrite)
    }

    @Test func `a source is read only where its size leaves the question open`() {
        let same = ObjectState(size: Self.size, modified: 0, digest: .ranges(1))
        #expect(Self.decide(.ifDifferent, same) == .compare)
        let longer = ObjectState(size: ByteCount(7), modified: 0, digest: .ranges(1))
        #expect(Self.decide(.ifDifferent, longer) == .overwrite)
        #expect(Self.decide(.ifOlder, same) == .overwrite)
    }

    private static func decide(
        _ policy: OverwritePolicy, _ object: ObjectState
    ) -> Overwriting.Decision {
        let source = Source(SourceFingerprint(size: size, modified: 100_000_000_000))
        return Overwriting(source: .init(source), target: .init(object)).decide(by: policy)
    }

    private static func world(_ policy: OverwritePolicy) -> DirectWorld {
        var world = DirectWorld()
        world.files["video.mov"] = (KilledAnywhereTests.version, size)
        world.dates["video.mov"] = 100
        var request = KilledAnywhereTests.request("video.mov", to: "in/video.mov")
        request.settings.overwrite = policy
        world.launch(enqueuing: [request])
        return world
    }
}
