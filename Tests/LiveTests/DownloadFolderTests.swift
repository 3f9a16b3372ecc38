import Content
import Foundation
import Glibc
import Quantities
import Testing
import TransferEngine
import TransferHost

@testable import Live

@Suite final class DownloadFolderTests {
    private let directory: RunDirectory
    private var folder: DownloadFolder
    private let version = FileVersion(file: 3, edit: 1)
    private let transfer = TransferID(1)
    private let path = "/downloads/phone-1-0-1"

    init() throws {
        directory = try RunDirectory()
        folder = DownloadFolder(in: directory.path, recognising: [version])
    }

    @Test func `what comes is put where it belongs, and what stood behind it is gone`() throws {
        #expect(keep(0..<30_000) == ByteCount(30_000))
        #expect(keep(30_000..<50_000) == ByteCount(50_000))
        #expect(keep(20_000..<40_000) == ByteCount(40_000))
        let whole = ContentRange(version, offset: .zero, length: ByteCount(40_000))
        #expect(try folder.content(of: transfer) == [whole])
        #expect(
            try Data(contentsOf: URL(filePath: folder.place(of: path)))
                == Data(DeterministicBytes.bytes(of: whole)))
    }

    @Test func `bytes of nobody are told as such`() throws {
        let segments = [Segment.bytes([UInt8](repeating: 7, count: 5_000))]
        #expect(
            folder.keep(segments, in: path, at: .zero, of: transfer) == ByteCount(5_000))
        let range = ContentRange(.unknown, offset: .zero, length: ByteCount(5_000))
        #expect(try folder.content(of: transfer) == [range])
    }

    @Test func `a disk that does not take it leaves nothing behind the offset`() throws {
        try FileManager.default.createDirectory(
            atPath: directory.path + "/downloads", withIntermediateDirectories: false)
        #expect(symlink("/dev/full", folder.place(of: path)) == 0)
        #expect(keep(0..<10) == nil)
    }

    @Test func `a disk without room for it takes nothing of it`() throws {
        let own = try directory.daemon(ofPhone: 0)
        let disk = try SharedDisk(making: directory.disk(ofPhone: 0, capacity: 40_000))
        folder = DownloadFolder(in: own, on: disk, recognising: [version])
        #expect(keep(0..<30_000) == ByteCount(30_000))
        #expect(keep(20_000..<45_000) == nil)
        let before = ContentRange(version, offset: .zero, length: ByteCount(30_000))
        #expect(try folder.content(of: transfer) == [before])
        #expect(keep(20_000..<40_000) == ByteCount(40_000))
    }

    @Test func `what is discarded is gone, and what is not there can be discarded`() {
        #expect(keep(0..<10) == ByteCount(10))
        for _ in 0..<2 { folder.discard(path) }
        #expect(!FileManager.default.fileExists(atPath: folder.place(of: path)))
    }

    @Test func `all that is in a folder is found, and a folder that is not there holds nothing`() {
        #expect(folder.paths(in: TransferDaemon.downloadsFolder).isEmpty)
        #expect(keep(0..<10) == ByteCount(10))
        #expect(folder.paths(in: TransferDaemon.downloadsFolder) == [path])
    }

    private func keep(_ range: Range<UInt64>) -> ByteCount? {
        let content = ContentRange(
            version, offset: ByteCount(range.lowerBound), length: ByteCount(UInt64(range.count)))
        return folder.keep(
            [.bytes(DeterministicBytes.bytes(of: content))], in: path,
            at: ByteCount(range.lowerBound), of: transfer)
    }
}
