import Device
import Foundation
import Glibc
import Quantities
import QueueStorage
import RunPlan
import Testing

@testable import Live

/// The rules of a phone's disk, met by processes that have no more of it than files.
@Suite final class SharedDiskTests {
    private let directory: RunDirectory
    private let folder: String

    init() throws {
        directory = try RunDirectory()
        folder = try directory.daemon(ofPhone: 0)
    }

    private func place(capacity: UInt64? = nil) -> SharedDisk.Place {
        directory.disk(ofPhone: 0, capacity: capacity)
    }

    @Test(arguments: [DiskCondition.Change.full(true), .writesFail(true), .readsFail(true)])
    func `what becomes of it is met by whoever has it already`(
        _ change: DiskCondition.Change
    ) throws {
        let run = try SharedDisk(making: place())
        let process = try SharedDisk(at: place())
        #expect(!process.mayRefuse)
        var condition = DiskCondition()
        condition.take(change)
        try run.set(condition)
        #expect(process.mayRefuse)
        for operation in DiskCondition.Operation.allCases {
            var refusal: DiskRefusal?
            do throws(DiskRefusal) { try process.permit(operation) } catch { refusal = error }
            #expect(refusal == condition.refusal(of: operation))
        }
        try run.set(DiskCondition())
        for operation in DiskCondition.Operation.allCases { try process.permit(operation) }
    }

    @Test func `all that stands on it takes its room, and a second name takes none`() throws {
        let disk = try SharedDisk(making: place(capacity: 10_000))
        let container = try directory.container(ofApp: 0, onPhone: 0)
        try put(4_000, at: folder + "/half.part")
        #expect(link(folder + "/half.part", container.path + "/kept.bin") == 0)
        try put(5_000, at: container.path + "/own.bin")
        #expect(disk.space.used == ByteCount(9_000))
        try disk.permitWrite(from: ByteCount(4_000), to: ByteCount(5_000))
        #expect(throws: DiskRefusal.noSpace) {
            try disk.permitWrite(from: ByteCount(4_000), to: ByteCount(5_001))
        }
        try disk.permitWrite(from: ByteCount(4_000), to: ByteCount(4_000))
        // A removed file leaves its room to others.
        container.remove("own.bin")
        try disk.permitWrite(from: ByteCount(4_000), to: ByteCount(10_000))
    }

    @Test func `a store on it is a store of this machine`() throws {
        let disk = try SharedDisk(making: place())
        let medium = FolderMedium(folder, on: disk)
        #expect(try medium.file(named: "store") == nil)
        let store = try medium.create("store")
        try medium.write([1, 2, 3, 4], to: store, at: .zero)
        try medium.write([9], to: store, at: ByteCount(6))
        #expect(try medium.read(store, at: ByteCount(1), count: 100) == [2, 3, 4, 0, 0, 9])
        try medium.truncate(store, to: ByteCount(3))
        #expect(try medium.size(of: store) == ByteCount(3))
        let next = try medium.create("store.new")
        try medium.write([7], to: next, at: .zero)
        try medium.rename("store.new", to: "store")
        #expect(try medium.file(named: "store") == next)
        #expect(try medium.file(named: "store.new") == nil)
        try medium.sync(next)
        try medium.syncNames()
        #expect(try Data(contentsOf: URL(filePath: folder + "/store")) == Data([7]))
        try medium.delete("store")
        #expect(try medium.file(named: "store") == nil)
        #expect(throws: StorageFailure.self) { try medium.delete("store") }
    }

    @Test func `a store on it is refused what the disk refuses, and is left as it was`() throws {
        let disk = try SharedDisk(making: place(capacity: 10))
        let medium = FolderMedium(folder, on: disk)
        let store = try medium.create("store")
        try medium.write([1, 2, 3, 4], to: store, at: .zero)
        #expect(throws: StorageFailure.noSpace) {
            try medium.write([5, 6], to: store, at: ByteCount(9))
        }
        try medium.write([5], to: store, at: ByteCount(9))
        try disk.set(condition(.writesFail(true)))
        #expect(throws: StorageFailure.writeFails) {
            try medium.write([0], to: store, at: .zero)
        }
        #expect(throws: StorageFailure.writeFails) { try medium.truncate(store, to: .zero) }
        #expect(throws: StorageFailure.writeFails) { try medium.sync(store) }
        #expect(throws: StorageFailure.writeFails) { try medium.syncNames() }
        #expect(throws: StorageFailure.writeFails) { try medium.delete("store") }
        #expect(throws: StorageFailure.writeFails) { try medium.rename("store", to: "other") }
        #expect(throws: StorageFailure.writeFails) { try medium.create("other") }
        try disk.set(condition(.readsFail(true)))
        #expect(throws: StorageFailure.readFails) {
            try medium.read(store, at: .zero, count: 1)
        }
        try disk.set(DiskCondition())
        #expect(try medium.read(store, at: .zero, count: 20) == [1, 2, 3, 4, 0, 0, 0, 0, 0, 5])
    }

    @Test func `what an app would keep of a download is refused as its disk refuses it`() throws {
        let disk = try SharedDisk(making: place(capacity: 1_500))
        let container = try directory.container(ofApp: 0, onPhone: 0)
        try put(1_000, at: folder + "/1.part")
        let files = AppFolder(at: container.path, on: disk, recognising: [])
        let offered = files.offer(folder + "/1.part", of: 1)
        #expect(throws: AppFileError.refused("the disk has no room for more")) {
            try files.copy(offered, to: "copy.bin")
        }
        try disk.set(condition(.readsFail(true)))
        #expect(throws: AppFileError.refused("the disk cannot be read")) {
            try files.copy(offered, to: "copy.bin")
        }
        try disk.set(condition(.writesFail(true)))
        #expect(throws: AppFileError.refused("the disk takes no write")) {
            try files.move(offered, to: "moved.bin")
        }
        #expect(throws: AppFileError.noSuchFile("nowhere")) {
            try files.move("nowhere", to: "moved.bin")
        }
        try disk.set(condition(.full(true)))
        try files.move(offered, to: "moved.bin")
        #expect(access(container.path + "/moved.bin", F_OK) == 0)
        let deeds = files.takeDeeds()
        #expect(deeds.count == 5)
    }

    private func condition(_ change: DiskCondition.Change) -> DiskCondition {
        var condition = DiskCondition()
        condition.take(change)
        return condition
    }

    private func put(_ count: Int, at path: String) throws {
        try Data(count: count).write(to: URL(filePath: path))
    }
}
