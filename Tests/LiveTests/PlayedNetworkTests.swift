import Capture
import Content
import DocrootServer
import Foundation
import Quantities
import RunLog
import Testing
import TransferHost

@testable import Live

/// Changes of phones' networks, and further apps, played for real by the whole program.
@Suite struct PlayedNetworkTests {
    @Test func `a phone without its Wi-Fi goes on over cellular, from another address`() throws {
        let play = try LivePlay(
            """
            name: hand-over for real
            why: a hand-over costs what was on its way, and not the file
            links:
              wifi: { profile: apple-wifi, uplink: { rate: 8 Mbit/s } }
              cellular: { profile: apple-lte, uplink: { rate: 8 Mbit/s } }
            files:
              video.mov: 2 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            limit: 1 min
            timeline:
              - when session 1 at 30 %: wifi lost
            expect:
              - session 1 resumes once
              - session 1 is tried again never
              - at most 300 kB sent again
              - session 1 completes within 20 s
              - incoming/video.mov is published once
            """)
        try play.begin()
        try play.endsGreen()
        let events = try play.events()
        let interfaces = events.compactMap { event -> UInt16? in
            if case .connection(.bound(_, let interface)) = event.fact { interface } else { nil }
        }
        #expect(interfaces == [0, 1])
        try checkAddresses(of: play, events)
        #expect(try play.leftovers() == [])
    }

    @Test(arguments: ["captive portal appears", "captive portal appears and answers 200"])
    func `a captive portal answers in the server's place until somebody logs in`(
        portal: String
    ) throws {
        let play = try LivePlay(
            """
            name: portal for real
            why: a captive portal delays an upload, and does not end it
            links:
              wifi: { profile: apple-wifi, uplink: { rate: 8 Mbit/s } }
            files:
              video.mov: 2 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            limit: 1 min
            timeline:
              - when session 1 at 5 %: app killed
              - 100 ms after session 1 at 5 %: \(portal)
              - 200 ms after session 1 at 5 %: app launched
              - 4 s: user logs in
            expect:
              - session 1 is tried again at least once
              - session 1 completes within 30 s
              - incoming/video.mov is published once
            """)
        try play.begin()
        try play.endsGreen()
        let answered = try play.events().filter {
            if case .network(.portalAnswered) = $0.fact { true } else { false }
        }
        #expect(!answered.isEmpty)
        #expect(try play.leftovers() == [])
    }

    @Test func `a battery saver leaves the network to the app in front`() throws {
        let play = try LivePlay(
            """
            name: battery saver for real
            why: what runs behind waits for the network, and the app in front does not
            device:
              os: android-14
              apps: { backup: { files: { b.bin: 2 MB }, queue: [{ upload: b.bin, to: b.bin }] } }
            links:
              uplink: { rate: 8 Mbit/s, delay: 20 ms }
              downlink: { rate: 8 Mbit/s, delay: 20 ms }
            files: { film.mov: 1 MB, task.mov: 2 MB }
            queue:
              - { upload: film.mov, to: film.mov }
            background:
              - { upload: task.mov, to: task.mov }
            limit: 1 min
            timeline:
              - 500 ms: battery saver on
              - 5 s: battery saver off
            expect:
              - session 1 completes within 5 s
              - session 1 connects once
              - session 2 completes after 5 s
              - session 2 is tried again never
              - task 1 completes after 5 s
            """)
        try play.begin()
        try play.endsGreen()
        let networks = try play.events().compactMap { event -> [UInt16]? in
            if case .network(.path(let path, _)) = event.fact { path.apps } else { nil }
        }
        #expect(networks == [[2], [2]])
        #expect(try play.leftovers() == [])
    }

    @Test func `apps on two phones are processes of their own, and one is killed`() throws {
        let play = try LivePlay(
            """
            name: two phones for real
            why: each app has a process, a container and a queue of its own
            device:
              os: ios-17
              apps: { backup: { files: { b.bin: 500 kB }, queue: [{ upload: b.bin, to: b.bin }] } }
            devices:
              tablet:
                os: android-14
                apps: { notes: { files: { c.bin: 2 MB }, queue: [{ upload: c.bin, to: c.bin }] } }
            links:
              uplink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 8 Mbit/s, delay: 5 ms, queue: 50 kB }
            files:
              a.bin: 1 MB
            queue:
              - upload: a.bin
                to: a.bin
            limit: 1 min
            timeline:
              - when session 3 at 30 %: app notes killed
              - 500 ms after app notes killed: app notes launched
            expect:
              - session 1 completes within 20 s
              - session 2 completes within 20 s
              - session 3 resumes once
              - session 3 completes within 30 s
              - a.bin is published once
              - b.bin is published once
              - c.bin is published once
            """)
        try play.begin()
        try play.endsGreen()
        let events = try play.events()
        let launches = events.compactMap { event -> UInt16?? in
            if case .device(.appLaunched) = event.fact { .some(event.app) } else { nil }
        }
        #expect(launches == [2, nil, 3, 3])
        #expect(try play.processes() == [])
        #expect(try play.leftovers() == [])
    }

    @Test func `a session that an app's script never adds is missed by nobody`() throws {
        let play = try LivePlay(
            """
            name: a script for the worst
            why: what an app would add if something failed is not owed where nothing does
            device:
              os: ios-17
              apps:
                backup:
                  files: { b.bin: 100 kB, c.bin: 100 kB }
                  queue: [{ upload: b.bin, to: b.bin }, { upload: c.bin, to: c.bin }]
                  app: [on failed session 2: enqueue session 3]
            links: { profile: apple-wifi }
            files:
              a.bin: 100 kB
            queue:
              - upload: a.bin
                to: a.bin
            limit: 1 min
            expect:
              - b.bin is published once
            """)
        try play.begin()
        try play.endsGreen()
        #expect(try play.leftovers() == [])
    }

    /// The capture tells the interfaces apart, and so do the log's packets.
    private func checkAddresses(of play: LivePlay, _ events: [RunEvent]) throws {
        let isMissing = events.contains {
            guard case .run(.limited(let what, _)) = $0.fact else { return false }
            return what.hasPrefix("nothing was captured")
        }
        guard !isMissing else { return }
        let reader = try CaptureReader(path: play.capture)
        var sources: Set<String> = []
        while let frame = try reader.next() {
            let packet = try TCPFrame(
                parsing: frame.bytes, originalLength: frame.originalLength, link: reader.link)
            guard case .v4(let address) = packet.source.address else { continue }
            sources.insert("\(ClientAddress(address))")
        }
        #expect(sources == ["127.0.0.1", "127.1.0.1", "127.1.1.1"])
    }
}
