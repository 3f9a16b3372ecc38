import Capture
import Foundation
import Testing

@Suite struct CaptureFileTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "capture-\(UUID().uuidString).pcap").path

    @Test(arguments: FrameLink.allCases)
    func `what is written is read again, to the nanosecond`(link: FrameLink) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let frames = (0..<100).map { index in
            let bytes = FrameBytes(link: link, sequence: UInt32(index)).bytes
            return CapturedFrame(
                wallNanoseconds: 1_700_000_000_123_456_789 + UInt64(index), bytes: bytes,
                originalLength: bytes.count + index)
        }
        try write(frames, link: link)
        let reader = try CaptureReader(path: path)
        #expect(reader.link == link)
        var read: [CapturedFrame] = []
        while let frame = try reader.next() { read.append(frame) }
        #expect(read == frames)
    }

    @Test func `a file that ends in the middle of a frame is an error behind the whole ones`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let frame = CapturedFrame(wallNanoseconds: 1, bytes: FrameBytes().bytes)
        try write([frame, frame], link: .ethernet)
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.dropLast(10).write(to: URL(filePath: path))
        let reader = try CaptureReader(path: path)
        #expect(try reader.next() != nil)
        do {
            _ = try reader.next()
            Issue.record("half a frame was taken for one")
        } catch {
            #expect(error.what.contains("truncated"))
        }
    }

    @Test func `what is no capture, or not there, is said with its path`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: CaptureError.self) { try open(path) }
        try Data("no capture at all, but long enough".utf8).write(to: URL(filePath: path))
        do { try open(path) } catch let error as CaptureError {
            #expect(error.what.contains(path))
        }
        #expect(throws: CaptureError.self) {
            try CaptureWriter(path: "/nowhere/a.pcap", link: .ethernet).flush()
        }
    }

    @Test(.enabled(if: Tshark.isInstalled, "tshark is not installed"))
    func `tshark reads what is written`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let frames = (0..<3).map {
            CapturedFrame(
                wallNanoseconds: 1_700_000_000_000_000_001,
                bytes: FrameBytes(sequence: UInt32($0)).bytes)
        }
        try write(frames, link: .ethernet)
        let rows = try Tshark.rows(
            of: path, fields: ["frame.time_epoch", "tcp.seq_raw", "tcp.len", "tcp.dstport"])
        #expect(
            rows == [
                ["1700000000.000000001", "0", "18", "8080"],
                ["1700000000.000000001", "1", "18", "8080"],
                ["1700000000.000000001", "2", "18", "8080"],
            ])
    }

    private func write(_ frames: [CapturedFrame], link: FrameLink) throws {
        let writer = try CaptureWriter(path: path, link: link)
        for frame in frames { writer.write(frame) }
        try writer.flush()
    }

    private func open(_ path: String) throws {
        let reader = try CaptureReader(path: path)
        Issue.record("\(path) was read as \(reader.link)")
    }
}
