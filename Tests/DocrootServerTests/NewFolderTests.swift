import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer
@testable import Simulation

/// What is put into a folder is there after a loss of power, although the folder is only just being
/// made, and whoever makes it still waits for the disk.
@Suite struct NewFolderTests {
    private static let seeds = 1...20 as ClosedRange<UInt64>
    private let folder: ObjectPath
    private let object: ObjectPath
    private var docroot = VirtualDocroot()

    init() throws {
        folder = try ObjectPath("a")
        object = try ObjectPath("a/film")
    }

    /// Another client's MKCOL has come as far as that the folder can be seen.
    private mutating func beginFolder() {
        var steps = docroot.order.makeFolder(folder)[...]
        #expect(docroot.goOn(&steps, at: 0))
        #expect(docroot.node(at: folder) != nil && !steps.isEmpty)
    }

    private mutating func put(_ upload: UInt64) {
        docroot.stage(UploadID(upload), at: .zero, bytes(10))
        let result = docroot.publish(UploadID(upload), as: object, at: 0)
        #expect(throws: Never.self) { try result.get() }
    }

    private mutating func losePower(_ seed: UInt64) {
        var random = RandomStream(seed: seed, name: "power")
        docroot.losePower(random: &random)
    }

    @Test(arguments: seeds) mutating func `an object keeps its folder`(seed: UInt64) {
        beginFolder()
        put(1)
        losePower(seed)
        #expect(docroot.node(at: object) != nil)
    }

    @Test(arguments: seeds) mutating func `so does a folder`(seed: UInt64) {
        beginFolder()
        let inside = folder.appending("b")
        #expect(docroot.answer(.makeFolder(inside), at: 0) == .done)
        losePower(seed)
        #expect(docroot.node(at: inside) != nil)
    }

    @Test(arguments: seeds)
    mutating func `what was known of a folder does not hold for the next one`(seed: UInt64) throws {
        #expect(docroot.answer(.makeFolder(folder), at: 0) == .done)
        put(1)
        let elsewhere = try ObjectPath("b")
        #expect(docroot.answer(.move(folder, to: elsewhere), at: 0) == .done)
        beginFolder()
        put(2)
        losePower(seed)
        #expect(docroot.node(at: object) != nil)
        #expect(docroot.node(at: elsewhere.appending("film")) != nil)
    }

    /// Its bytes may take long on their way to the disk.
    @Test(arguments: seeds)
    mutating func `a folder that takes the place of another meanwhile is waited for`(
        seed: UInt64
    ) throws {
        docroot.stage(UploadID(1), at: .zero, bytes(10))
        var publication = try docroot.begin(UploadID(1), as: object)
        while publication.steps.first != .synchronise(.staged(UploadID(1))) {
            #expect(docroot.goOn(&publication.steps, at: 0))
        }
        #expect(docroot.answer(.remove(folder), at: 0) == .done)
        beginFolder()
        while docroot.goOn(&publication.steps, at: 0) {}
        _ = try docroot.finish(publication)
        losePower(seed)
        #expect(docroot.node(at: object) != nil)
    }

    @Test func `who waited while folders moved knows nothing`() {
        var settled = SettledFolders()
        let age = settled.age
        settled.forget()
        settled.settle(folder, since: age)
        #expect(!settled.holds(folder))
        settled.settle(folder, since: settled.age)
        #expect(settled.holds(folder))
        #expect(settled.holds(.root))
    }

    @Test func `what is remembered is bounded`() {
        var settled = SettledFolders()
        for number in 1...10_001 { settled.settle(folder.appending("\(number)"), since: 0) }
        #expect(!settled.holds(folder.appending("1")))
        #expect(settled.holds(folder.appending("10001")))
    }
}
