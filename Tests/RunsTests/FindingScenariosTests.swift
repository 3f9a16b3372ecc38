import Foundation
import Scenario
import Testing

@testable import Runs

/// Which files a path on the command line means.
@Suite struct FindingScenariosTests {
    @Test func `a folder means the scenarios in it and below, by name, without hidden files`()
        throws
    {
        let folder = try Folder([
            "b.yaml", "a/z.yml", "a/.#z.yml", ".git/c.yaml", "notes.txt", "a.yaml.orig",
        ])
        #expect(try folder.found(["."]) == ["./a/z.yml", "./b.yaml"])
    }

    @Test func `a link to a folder means what is in the folder`() throws {
        let folder = try Folder(["real/a.yaml"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: "real")
        #expect(try folder.found(["link"]) == ["link/a.yaml"])
        #expect(try folder.found(["link/"]) == ["link/a.yaml"])
    }

    @Test func `a suite file belongs to its folder, and one that cannot be read is said`() throws {
        let folder = try Folder(["a.yaml", "suite.yaml"])
        #expect(try folder.found(["."]) == ["./a.yaml"])
        let file = "\(folder.path)/suite.yaml"
        try Data("sometimes: [the app is killed]\n".utf8).write(to: URL(filePath: file))
        for path in [folder.path, folder.path + "/", file] {
            #expect(
                try ScenarioFiles.demands(of: [path]).sometimes.map(\.words)
                    == ["the app is killed"])
        }
        #expect(try ScenarioFiles.demands(of: ["\(folder.path)/a.yaml"]).sometimes.isEmpty)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(
            atPath: file, withIntermediateDirectories: false)
        #expect(throws: RunFailure.self) { try ScenarioFiles.demands(of: [folder.path]) }
    }

    @Test func `a scenario that is named twice is played once`() throws {
        let folder = try Folder(["a.yaml", "b.yaml"])
        #expect(try folder.found(["b.yaml", ".", "./b.yaml"]) == ["b.yaml", "./a.yaml"])
    }

    @Test func `the mistakes of all files come in one go`() throws {
        let folder = try Folder(["a.yaml", "b.yaml"])
        for name in ["a.yaml", "b.yaml"] {
            try Data("nmae: x\n".utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
        let failure = #expect(throws: RunFailure.self) { try folder.found([""]) }
        let message = failure?.description ?? ""
        #expect(message.contains("a.yaml:1:1: error:") && message.contains("b.yaml:1:1: error:"))
    }

    @Test func `a file that is not there does not hide the mistakes of another`() throws {
        let folder = try Folder(["a.yaml"])
        try Data("nmae: x\n".utf8).write(to: URL(filePath: "\(folder.path)/a.yaml"))
        let failure = #expect(throws: RunFailure.self) { try folder.found(["x.yaml", "a.yaml"]) }
        let message = failure?.description ?? ""
        #expect(message.contains("x.yaml”; name") && message.contains("a.yaml:1:1: error:"))
    }

    @Test func `a folder without scenarios is refused, and nothing, and what is no file`() throws {
        let folder = try Folder(["notes.txt"])
        for (path, reason) in [("", "has no scenario"), ("/x.yaml", "there is no ")] {
            let failure = #expect(throws: RunFailure.self) { try folder.found([path]) }
            #expect(failure?.description.contains(reason) ?? false, "\(path)")
        }
        let device = #expect(throws: RunFailure.self) { try ScenarioFiles.read(["/dev/null"]) }
        #expect(device?.description.hasPrefix("/dev/null cannot be read; ") ?? false)
    }

    /// A folder of files that are all the same scenario.
    private final class Folder {
        let path: String

        init(_ names: [String]) throws {
            let url = FileManager.default.temporaryDirectory
                .appending(path: "scenarios \(UUID().uuidString)")
            path = url.path
            let text = try HouseScenarios.readShort(SeedTests.lossless).text
            for name in names {
                let file = url.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// The paths of what is read, without the folder's own.
        func found(_ paths: [String]) throws -> [String] {
            try ScenarioFiles.read(paths.map { "\(path)/\($0)" })
                .map { String($0.path.dropFirst(path.count + 1)) }
        }
    }
}
