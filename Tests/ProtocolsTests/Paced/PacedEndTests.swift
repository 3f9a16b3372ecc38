import Quantities
import Testing

@testable import Protocols

/// How sessions of the paced transport end, and what they do while nothing is heard.
@Suite struct PacedEndTests {
    @Test func `a session ends in order although a close is lost`() {
        var path = PacedPath()
        var closes = 0
        path.fate = { _, packet in
            if packet.kind == .close { closes += 1 }
            return packet.kind == .close && closes < 3 ? [] : [.milliseconds(20)]
        }
        path.sender.add(file: 1, to: 5_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.receiver.ending == .complete)
        // Others may leave before the answer to the third has come.
        #expect((3...5).contains(closes))
    }

    @Test func `a receiver that has ended answers each packet again`() {
        var path = PacedPath()
        // The reports that tell of the end, of which there are two at first.
        path.losesReport = { number in number >= 2 && number < 5 }
        path.sender.add(file: 1, to: 5_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.reports.count { $0.ending == .complete } > 1)
    }

    @Test func `a sender that gives up says so three times`() {
        var path = PacedPath()
        path.sender.add(file: 1, to: 1_000_000)
        path.play(until: .start + .milliseconds(60))
        path.sender.abort(at: path.now)
        path.play()
        #expect(path.sender.state == .aborted)
        #expect(path.receiver.ending == .aborted)
        #expect(path.packets.count { $0.kind == .abort } == 3)
        #expect(path.sender.deadline == nil)
    }

    @Test func `a receiver that gives up ends the sender`() {
        var path = PacedPath()
        path.sender.add(file: 1, to: 1_000_000)
        path.play(until: .start + .milliseconds(60))
        path.receiver.abort(at: path.now)
        path.play()
        #expect(path.sender.state == .aborted)
        #expect(path.sender.deadline == nil)
    }

    @Test func `a sender that hears nothing sends only questions, ever more rarely, for 10 s`() {
        var path = PacedPath(fate: { _, _ in [] })
        path.sender.add(file: 1, to: 1_000_000)
        path.play()
        #expect(path.sender.state == .silent)
        #expect(path.now == .start + .seconds(10))
        #expect(path.packets.count { $0.kind == .data } == 10)
        let probes = path.packets.filter { $0.kind == .probe }
        #expect((6...10).contains(probes.count), "\(probes.count)")
    }

    @Test func `after an outage everything arrives, at half the rate first`() {
        var path = PacedPath(
            PacedSettings(policy: .fair, target: Bitrate(bitsPerSecond: 8_000_000)))
        path.fate = { _, packet in
            let isOut = (1..<6).contains(packet.sentAt.seconds)
            return isOut ? [] : [.milliseconds(20)]
        }
        path.sender.add(file: 1, to: 3_000_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.hasArrived(1, 3_000_000))
        // What left before the sender missed the reports.
        let lost = path.packets.count { $0.kind == .data && (1..<6).contains($0.sentAt.seconds) }
        #expect(lost < 350, "\(lost) packets were sent into the outage")
        let times = path.packets.filter { $0.kind == .data }.map(\.sentAt.seconds)
        // Tenths of a second before the outage, and after the first report.
        let again = times.first { $0 >= 6 } ?? 0
        let rates = [0.8..<0.9, again..<again + 0.1].map { time in
            times.count { time.contains($0) }
        }
        #expect(rates[1] * 3 < rates[0] * 2, "\(rates[0]) packets before, \(rates[1]) after")
    }

    @Test func `content that is added while nothing is heard waits for the next report`() {
        var path = PacedPath()
        path.fate = { _, packet in
            (1..<4).contains(packet.sentAt.seconds) ? [] : [.milliseconds(20)]
        }
        path.sender.add(file: 1, to: 50_000)
        path.play(until: .start + .seconds(1))
        path.now = .start + .seconds(1)
        path.sender.add(file: 2, to: 3_000)
        path.play(until: .start + .seconds(2))
        path.now = .start + .seconds(2)
        // A wait for nothing would be asked for again and again.
        path.sender.add(file: 3, to: 3_000)
        #expect(path.sender.next(at: path.now) == nil)
        #expect(path.sender.deadline.map { $0 > path.now } == true)
        path.sender.finish()
        path.play()
        #expect(path.hasArrived(3, 3_000))
        #expect(path.sender.state == .complete)
    }

    @Test func `a session that is idle waits, and goes on`() {
        var path = PacedPath()
        path.sender.add(file: 1, to: 50_000)
        path.play()
        #expect(path.sender.state == .sending)
        #expect(path.sender.deadline == nil)
        path.now = path.now + .seconds(300)
        path.sender.add(file: 2, to: 50_000)
        path.sender.finish()
        path.play(until: path.now + .seconds(10))
        #expect(path.sender.state == .complete)
        #expect(path.hasArrived(2, 50_000))
    }

    @Test func `what is not sent yet stays when the sender stops`() {
        var path = PacedPath(
            PacedSettings(policy: .fixed, target: Bitrate(bitsPerSecond: 1_000_000)))
        path.sender.add(file: 1, to: 1_000_000)
        path.play(until: .start + .seconds(1))
        path.sender.stop()
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect((90_000...140_000).contains(path.contentSent), "\(path.contentSent)")
    }

    @Test func `a first report that knows of no packet is no report`() {
        var sender = PacedSender(PacedSettings(), at: .start)
        sender.add(file: 1, to: 100_000)
        while sender.next(at: .start) != nil {}
        let empty = PacedReport(
            number: 1, contiguous: 0, end: 0, told: 0..<0, missing: [], echo: .start, held: .zero,
            shortestWay: .milliseconds(20), received: .zero, span: .zero, packets: 0, unneeded: 0)
        let isTaken = sender.heard(empty, at: .start + .milliseconds(40))
        #expect(!isTaken)
        #expect(sender.state == .opening)
    }

    @Test func `reports that cannot be true change nothing`() throws {
        var path = PacedPath(
            PacedSettings(policy: .fixed, target: Bitrate(bitsPerSecond: 5_000_000)))
        path.sender.add(file: 1, to: 100_000)
        path.play(until: .start + .milliseconds(90))
        let good = try #require(path.reports.last)
        var sender = path.sender
        let doctored: [(inout PacedReport) -> Void] = [
            { $0.end += 1_000 }, { $0.contiguous = $0.end + 1 },
            { $0.told = $0.told.lowerBound..<$0.end + 1 },
            {
                $0.told = 0..<$0.end; $0.contiguous = 1
            },
            { $0.missing = [5..<7, 6..<8] }, { $0.missing = [$0.end..<$0.end + 1] },
            { $0.echo = path.now + .seconds(9) }, { $0.packets = 0 },
            { $0.ending = .complete },
            { $0.received = .zero }, { $0.span = .zero },
        ]
        for (place, change) in doctored.enumerated() {
            var report = good
            report.number += 100
            change(&report)
            let isTaken = sender.heard(report, at: path.now)
            #expect(!isTaken, "report \(place)")
        }
        var report = good
        report.number += 100
        let isTaken = sender.heard(report, at: path.now)
        #expect(isTaken)
    }
}
