import RunLog
import Testing

/// Background sessions as an app has them, over real sockets and with real files.
@Suite struct PlayedSessionsTests {
    @Test func `requests of the app's own are answered, and a part is continued`() throws {
        let play = try LivePlay(
            """
            name: requests of an app's own, and a download that is put off
            why: what the app gets of an answer is the same over real sockets
            device: { os: ios-17 }
            links:
              uplink: { rate: 20 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 4 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { video.mov: 1 MB }
            background:
              - { upload: video.mov, to: video.mov }
              - { download: gone.mov }
              - { download: "/dav/video.mov?x=y", fields: { Range: bytes=0-99 } }
              - { download: video.mov, method: HEAD }
              - { download: video.mov, session: films }
              - { resumes: 5, session: films }
            background-sessions: { films: { delegate-queue: own } }
            app:
              - on completed task 1: make task 2
              - on completed task 2: make task 3
              - on completed task 3: make task 4
              - on completed task 4: make task 5
              - on failed task 5: make task 6
              - on downloaded task 2: move it to gone.mov
              - on downloaded task 6: move it to films/video.mov
            timeline:
              - 500 ms after task 5 starts: task 5 is put off
              - 1 s after task 6 starts: session films is invalidated
            expect:
              - task 2 is answered 404
              - gone.mov is kept never
              - task 3 is answered 206
              - task 4 is answered 200
              - task 5 can be continued once
              - task 6 resumes once
              - films/video.mov is kept once
              - session films becomes invalid once
            """)
        try play.begin()
        try play.endsGreen()
        #expect(try play.leftovers() == [])
    }

    @Test func `an app is made to fetch while nobody looks`() throws {
        let play = try LivePlay(
            """
            name: a fetch in the background
            why: a suspended process goes on for as long as its fetch takes
            device: { os: ios-17 }
            links:
              uplink: { rate: 20 Mbit/s, delay: 5 ms, queue: 50 kB }
              downlink: { rate: 20 Mbit/s, delay: 5 ms, queue: 50 kB }
            files: { news.json: 200 kB }
            background:
              - { upload: news.json, to: news.json }
              - { download: news.json, resumed: no }
            app:
              - on background fetch: resume task 2
              - on downloaded task 2: move it to news/today.json
            timeline:
              - 1 s: app to background
              - 7 s: app fetches in the background
            expect:
              - the app fetches once
              - task 2 is answered 200
              - news/today.json is kept once
            """)
        try play.begin()
        try play.endsGreen()
        #expect(try play.leftovers() == [])
    }
}
