import Testing

/// A scenario whose run is red for a cause that is known, and the words that tell it.
struct PlantedFailure: CustomTestStringConvertible, Sendable {
    var name: String
    var scenario: String
    /// The words that the first screen of the run's report and of its suite must show. The last
    /// ones are enough where several causes are listed.
    var telling: [String]

    var testDescription: String { name }

    static let all = [stall, lostFile, lostDownload, joinedVersions, budget, order]

    private static let links = """
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB }
          downlink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB }
        """

    private static let stall = PlantedFailure(
        name: "stall",
        scenario: """
            name: an upload that stands still
            why: a server that stops reading must not hold up an upload for ever
            \(links)
            files: { video.mov: 6 MB }
            queue:
              - { upload: video.mov, to: incoming/video.mov }
            server:
              faults: { stuck: { do: stall, at: 1 MB received, method: PATCH, starts: off } }
            timeline:
              - 500 ms: fault stuck on
            limit: 2 min
            """,
        telling: [
            "session 1 is running when the run ends",
            "fault “stuck” is on; latest effect",
            "nothing more is taken after 1 MB of its body",
            "no byte of session 1 moved for 53.45 s from then on",
        ])

    /// Another client removes what the phone has uploaded.
    private static let lostFile = PlantedFailure(
        name: "lost-file",
        scenario: """
            name: an upload that is gone afterwards
            why: an uploaded file is there for its readers
            \(links)
            files: { video.mov: 6 MB }
            queue:
              - { upload: video.mov, to: incoming/video.mov }
            visits:
              cleaner: { ask: DELETE /dav/incoming/video.mov, answer: 204 }
            timeline:
              - 3 s after session 1 completes: visit cleaner
            expect:
              - incoming/video.mov holds video.mov
            """,
        telling: [
            "there is no object",
            "incoming/video.mov is published as version 1 by session 1: all of video.mov",
            "incoming/video.mov is removed by another client: visit “cleaner” asks DELETE /dav/",
        ])

    /// The app moves its download when the system has already deleted it.
    private static let lostDownload = PlantedFailure(
        name: "lost-download",
        scenario: """
            name: a download that is gone
            why: a download that completes is a file of the app
            device: { os: ios-17 }
            \(links)
            files: { video.mov: 2 MB }
            background:
              - { upload: video.mov, to: video.mov }
              - { download: video.mov }
            app:
              - on completed task 1: make task 2
              - on downloaded task 2: move it to films/video.mov too late
            """,
        telling: [
            "the app has the download of the transfer of task 2 at films/video.mov",
            "task 2 has brought video.mov: all of video.mov",
            "move or copy it before the callback returns",
        ])

    /// The server gives two objects one tag, and ignores the condition of a range.
    private static let joinedVersions = PlantedFailure(
        name: "joined",
        scenario: """
            name: a download of two versions
            why: a download that goes on must go on with the version that it began
            device: { os: ios-17 }
            links:
              wifi: { profile: apple-wifi }
              cellular: { profile: apple-lte }
            files: { old.mov: 20 MB, new.mov: 20 MB }
            background:
              - { upload: old.mov, to: video.mov }
              - { download: video.mov, resumed: no, cellular: no }
              - { upload: new.mov, to: video.mov, resumed: no }
            server:
              faults:
                tag: { do: 'send the field ETag: "one"', method: GET }
                any: { do: ignore range conditions, method: GET }
            timeline:
              - 20 s: task 2 is resumed
              - 22 s: wifi lost
              - 26 s: task 3 is resumed
              - 60 s: wifi back
            """,
        telling: [
            "video.mov is published as version 2: all of new.mov",
            "task 2 resumes at byte 9623304",
            "fault “any” is on",
            "from byte 0 it is old.mov; from byte 9623304 it is new.mov",
        ])

    /// Half a minute in the background is too short for the file, and the session never resumes.
    private static let budget = PlantedFailure(
        name: "budget",
        scenario: """
            name: an upload that is sent again and again
            why: half a minute in the background must not cost a phone its data plan
            device: { os: ios-17 }
            \(links)
            files: { video.mov: 60 MB }
            queue:
              - { upload: video.mov, to: incoming/video.mov, resume: none }
            timeline:
              - 2 s: app to background
              - 60 s: app to foreground
              - 70 s: app to background
              - 120 s: app to foreground
            expect:
              - at most 5 MB sent again
            """,
        telling: [
            "32.397 MB were sent again until the end of connection 1.2, 27.397 MB too many",
            "session 1 goes from running to waiting: the time in the background is up",
            "transfer 1 starts over: its resume policy is to begin at byte 0",
            "32.4 MB of video.mov were sent again on connection 1.2",
        ])

    private static let order = PlantedFailure(
        name: "order",
        scenario: """
            name: a second upload that overtakes the first
            why: photos arrive in the order in which they were taken
            \(links)
            files: { first.jpg: 6 MB, second.jpg: 6 MB, third.jpg: 1 MB }
            queue:
              - { upload: first.jpg, to: photos/first.jpg }
              - { upload: second.jpg, to: photos/second.jpg }
              - { upload: third.jpg, to: photos/third.jpg }
            timeline:
              - 2 s: run session 2
            expect:
              - sessions complete in order
            """,
        telling: [
            "session 2 overtakes it: it completes while session 1 is preempted",
            "session 2 is enqueued at index 1",
            "the app wants to run session 2",
            "session 1 goes from running to preempted: the app runs another session first",
        ])
}
