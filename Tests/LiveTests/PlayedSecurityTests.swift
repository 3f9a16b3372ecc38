import Foundation
import RunLog
import Testing

/// The whole program plays for real, over the TLS of OpenSSL.
@Suite struct PlayedSecurityTests {
    @Test(arguments: ["none", "1.2", "1.3"])
    func `all interfaces speak TLS if they should, and go on after a kill`(
        version: String
    ) throws {
        let play = try LivePlay(
            """
            name: over TLS
            why: what goes over the wire is nobody else's business
            tcp: { tls: \(version) }
            device: { os: ios-17 }
            links:
              uplink: { rate: 20 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 20 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { video.mov: 4 MB, note.txt: 20 kB }
            queue:
              - { upload: video.mov, to: in/video.mov }
              - { download: in/video.mov, to: back/video.mov }
            operations:
              - { upload: note.txt, to: in/operation.txt }
            background:
              - { upload: note.txt, to: task.txt }
            timeline:
              - when session 1 at 40 %: app killed
              - 300 ms after app killed: app launched
            expect:
              - in/video.mov holds video.mov
              - task.txt holds note.txt
              - session 1 resumes once
              - session 2 completes within 30 s
            """)
        try play.begin()
        try play.endsGreen()
        let facts = try play.events().map(\.fact)
        let secured = facts.filter {
            if case .connection(.securing(_, "TLS \(version)")) = $0 { true } else { false }
        }
        let established = facts.filter {
            if case .connection(.established) = $0 { true } else { false }
        }
        #expect(established.count >= 4)
        #expect(version == "none" ? secured.isEmpty : secured.count >= established.count)
        let isLimited = facts.contains {
            if case .run(.limited(let what, _)) = $0 { what.contains("“tcp”") } else { false }
        }
        #expect(!isLimited)
        // Without the right to capture there is no file.
        if let packets = try? Data(contentsOf: URL(filePath: play.capture)) {
            let isReadable = packets.range(of: Data("HTTP/1.1".utf8)) != nil
            #expect(isReadable == (version == "none"))
        }
        #expect(try play.leftovers() == [])
    }
}
