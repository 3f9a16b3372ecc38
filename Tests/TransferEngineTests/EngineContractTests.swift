import Foundation
import Quantities
import Testing
import TransferEngine

/// The article about the engine's contract says what the engine does, and its example is this one.
@Suite struct EngineContractTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func article() throws -> String {
        try text(of: "Sources/TransferEngine/TransferEngine.docc/EngineContract.md")
    }

    @Test func `a host of thirty lines learns after seven retries that nobody is at home (A16)`()
        throws
    {
        let session = SessionRequest(
            account: Account(
                host: "nobody.example", port: 80, credentials: CredentialHandle("the app's")),
            uploads: [.init(source: "video.mov", destination: "incoming/video.mov")])
        // As printed, from here
        var engine = TransferEngine()
        var store: [SessionID: SessionRecord] = [:]
        var ends: [SessionResult] = []
        var now = Instant.start
        var inbox: [EngineInput] = [
            .restored([]), .command(.queue(.enqueue(session))), .command(.queue(.start)),
        ]
        while ends.isEmpty {
            var outputs: [EngineOutput] = []
            var deadline: Instant?
            while !inbox.isEmpty {
                deadline = engine.handle(inbox.removeFirst(), at: now, into: &outputs)
                for output in outputs {
                    switch output {
                    case .persist(let ticket, let change):
                        if case .put(let record) = change { store[record.id] = record }
                        inbox.append(.persisted(ticket))
                    case .attempt(.connect(let connection, _, _)):
                        inbox.append(.attempt(.disconnected(connection, .refused)))
                    case .tell(.session(_, .didDeactivate(let result))): ends.append(result)
                    default: break
                    }
                }
                outputs.removeAll()
            }
            now = deadline ?? now
            inbox.append(.wake)
        }
        // to here
        #expect(ends == [.failed(.connectionFailed)])
        #expect(store.values.map(\.failures) == [8])
        // 2, 4, 8, 16, 32 and twice 60 s.
        #expect(now.sinceStart == .seconds(182))
    }

    @Test func `the article prints that example`() throws {
        let source = try Self.text(of: "Tests/TransferEngineTests/EngineContractTests.swift")
        let begin = try #require(source.firstRange(of: "// As printed, from here\n"))
        let end = try #require(source.firstRange(of: "        // to here"))
        let lines = source[begin.upperBound..<end.lowerBound].split(separator: "\n")
            .map { $0.dropFirst(8) }
        #expect(lines.count <= 30)
        #expect(try Self.article().contains("```swift\n\(lines.joined(separator: "\n"))\n```"))
    }

    @Test(arguments: [
        ("EngineInput", "EngineInput", 12), ("EngineOutput", "EngineOutput", 7),
        ("AttemptInput", "Core/AttemptDoors", 9), ("AttemptOutput", "Core/AttemptDoors", 9),
    ])
    func `the article names every input and every output`(
        name: String, file: String, least: Int
    ) throws {
        let source = try Self.text(of: "Sources/TransferEngine/\(file).swift")
        let declaration = try #require(source.firstRange(of: "public enum \(name):"))
        let end = try #require(source[declaration.upperBound...].firstRange(of: "\n}"))
        let article = try Self.article()
        var count = 0
        for line in source[declaration.upperBound..<end.lowerBound].split(separator: "\n") {
            let name = line.firstMatch(of: /^    (?:indirect )?case (\w+)/)?.1
            guard let name else { continue }
            #expect(article.contains("`\(name)`"), "\(name)")
            count += 1
        }
        #expect(count >= least)
    }
}
