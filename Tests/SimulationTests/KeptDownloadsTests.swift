import Content
import Device
import Quantities
import RunPlan
import Testing
import TransferEngine

@testable import Simulation

/// An app keeps what a download brought, on a disk that may refuse (B3).
@Suite struct KeptDownloadsTests {
    private let disk = PhoneDisk(DiskSpace(capacity: ByteCount(1_500)))
    private let downloads: DownloadedFiles
    private let files: ContainerFiles
    private let path = "/downloads/1"

    init() {
        downloads = DownloadedFiles(on: disk)
        files = ContainerFiles(on: disk)
        files.downloads = downloads
        let content = ContentRange(
            FileVersion(file: 1, edit: 1), offset: .zero, length: ByteCount(1_000))
        #expect(
            downloads.keep([.content(content)], in: path, at: .zero, of: TransferID(1)) != nil)
        files.offer(path, of: 1)
    }

    @Test func `a copy needs room, and a disk that can be read`() {
        #expect(throws: AppFileError.refused("the disk has no room for more")) {
            try files.copy(path, to: "copy.bin")
        }
        disk.space.condition.take(.readsFail(true))
        #expect(throws: AppFileError.refused("the disk cannot be read")) {
            try files.copy(path, to: "copy.bin")
        }
    }

    @Test func `a move needs a disk that takes another name, and no room`() throws {
        disk.space.condition.take(.writesFail(true))
        #expect(throws: AppFileError.refused("the disk takes no write")) {
            try files.move(path, to: "moved.bin")
        }
        disk.space.condition.take(.writesFail(false))
        disk.space.condition.take(.full(true))
        try files.move(path, to: "moved.bin")
        #expect(disk.space.used == ByteCount(1_000))
    }
}
