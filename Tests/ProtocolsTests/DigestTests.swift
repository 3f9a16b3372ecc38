import Foundation
import Testing

@testable import Protocols

/// FIPS 180-4 examples, and RFC 4231.
@Suite struct DigestTests {
    static let examples: [(text: String, sha1: String, sha256: String)] = [
        (
            "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (
            "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test(arguments: examples, [1, 7, 64, 1000]) func `digests are what they should be`(
        example: (text: String, sha1: String, sha256: String), step: Int
    ) {
        var (first, second) = (Digest(.sha1), Digest(.sha256))
        let bytes = Array(example.text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            let part = Array(bytes[start..<min(start + step, bytes.count)])
            first.update(part)
            second.update(part)
        }
        #expect(hexadecimal(first.finish()) == example.sha1)
        #expect(hexadecimal(second.finish()) == example.sha256)
    }

    @Test func `a million letters have the digests of the standard`() {
        var (first, second) = (Digest(.sha1), Digest(.sha256))
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        for _ in 0..<1_000 {
            first.update(letters)
            second.update(letters)
        }
        #expect(hexadecimal(first.finish()) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
        #expect(
            hexadecimal(second.finish())
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `a length of half a gigabyte and more is told whole`() {
        let halfAGigabyte: UInt64 = 1 << 29
        #expect(Digest.end(behind: halfAGigabyte) == [0x80] + zeros(58) + [1, 0, 0, 0, 0])
        let oneLess = Digest.end(behind: halfAGigabyte - 1)
        #expect(oneLess == [0x80] + zeros(60) + [0xff, 0xff, 0xff, 0xf8])
        #expect(Digest.end(behind: 3) == [0x80] + zeros(59) + [24])
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// Where the padding just fits behind the last byte, and where it takes a block of its own.
    @Test func `digests of every length around blocks are those of the system's tools`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "digests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var (first, second): ([String], [String]) = ([], [])
        var names: [String] = []
        for length in 0...260 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ length) }
            names.append(folder.appending(path: "\(length)").path)
            try Data(bytes).write(to: URL(filePath: names[length]))
            var (one, two) = (Digest(.sha1), Digest(.sha256))
            one.update(bytes)
            two.update(bytes)
            first.append(hexadecimal(one.finish()))
            second.append(hexadecimal(two.finish()))
        }
        #expect(first == (try digests(by: "sha1sum", of: names)))
        #expect(second == (try digests(by: "sha256sum", of: names)))
    }

    private func digests(by tool: String, of names: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(tool)")
        process.arguments = names
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }

    @Test func `a signature is an HMAC`() {
        #expect(
            Digest.signature(of: "what do ya want for nothing?", by: Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
