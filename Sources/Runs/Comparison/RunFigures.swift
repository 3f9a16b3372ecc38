import Quantities
import Reports
import RunLog

// The figures of runs, suites and the fidelity grid. Those of simulated runs are exact; those of
// live runs are measured, and neither direction is better.

extension FigureSheet {
    /// Each run is a subject. Digests tell runs with the same figures apart.
    init(suite: Suite, withDigests: Bool = true) {
        self.init(
            subjects: suite.entries.map { entry in
                var exact: [String: FigureValue] = [
                    "completedSessions": .whole(UInt64(entry.completed)),
                    "droppedPackets": .whole(entry.dropped),
                    "judgement": .text(entry.judgement.isGreen ? "green" : "red"),
                    "payloadBytes": .whole(entry.payload.bytes),
                    "retransmittedPackets": .whole(entry.retransmitted),
                    "runNanoseconds": .whole(UInt64(entry.duration.nanoseconds)),
                    "sentAgainBytes": .whole(entry.sentAgain.bytes),
                    "sessions": .whole(UInt64(entry.sessions)),
                ]
                exact["completionNanoseconds"] = FigureValue(entry.completion)
                exact["goodputBitsPerSecond"] = FigureValue(entry.goodput)
                if withDigests { exact["digest"] = .text(entry.digest) }
                return FigureSubject(name: entry.folder, exact: exact, world: entry.world)
            })
    }

    /// The subjects are the run, its sessions and its links.
    init(run model: ReportModel) {
        let figures = model.figures
        var whole: [String: FigureValue] = [
            "connections": .whole(UInt64(figures.connections.count + figures.connectionsLeftOut)),
            "digest": .text(model.digest),
            "durableChanges": .whole(UInt64(figures.durableChanges)),
            "judgement": .text(model.judgement.isGreen ? "green" : "red"),
            "kills": .whole(UInt64(figures.kills)),
            "publications": .whole(UInt64(figures.publications)),
            "refusals": .whole(UInt64(figures.refusals)),
            "requests": .whole(UInt64(figures.requests)),
            "runNanoseconds": .whole(UInt64(model.duration.nanoseconds)),
            "sentAgainBytes": .whole(figures.sentAgain.bytes),
        ]
        whole["completionNanoseconds"] = FigureValue(figures.completion)
        whole["goodputBitsPerSecond"] = FigureValue(figures.goodput)
        let world = model.beginning.world
        self.init(
            subjects: [FigureSubject(name: "the run", exact: whole, world: world)]
                + figures.sessions.map { FigureSubject($0, world: world) }
                + figures.links.map { FigureSubject($0, world: world) })
    }
}

extension FigureSheet {
    /// Each cell is a subject. The simulator's figures are exact, the kernel's measured.
    init(fidelity: FidelityData) {
        self.init(
            subjects: fidelity.cells.map { entry in
                var subject = FigureSubject(name: entry.cell.name)
                for (place, flow) in entry.simulated.enumerated() {
                    let name = "simulatedPattern\(place + 1)BitsPerSecond"
                    subject.exact[name] = .whole(flow.goodputBitsPerSecond)
                }
                for run in entry.kernel where run.emulator.wasInTime {
                    let goodput = Double(run.figures.goodputBitsPerSecond)
                    let name = "kernelPattern\(run.pattern)BitsPerSecond"
                    subject.measured[name] = MeasuredFigure([goodput], better: .neither)
                }
                return subject
            })
    }
}

extension FigureSubject {
    fileprivate init(_ session: SessionFigures, world: RunBeginning.World) {
        var exact: [String: FigureValue] = [
            "attempts": .whole(UInt64(session.attempts)),
            "outcome": .text(session.outcome?.sentence ?? "none"),
            "payloadBytes": .whole(session.payload.bytes),
            "resumes": .whole(UInt64(session.resumes)),
            "sentAgainBytes": .whole(session.sentAgain.bytes),
            "startsOver": .whole(UInt64(session.startsOver)),
        ]
        exact["filesSkipped"] = session.filesSkipped.map { .whole(UInt64($0)) }
        exact["completionNanoseconds"] = FigureValue(session.completion)
        exact["goodputBitsPerSecond"] = FigureValue(session.goodput)
        exact["waitedNanoseconds"] = FigureValue(session.waited)
        self.init(name: "\(session.session)", exact: exact, world: world)
    }

    fileprivate init(_ link: LinkFigures, world: RunBeginning.World) {
        var exact: [String: FigureValue] = [
            "deliveredBytes": .whole(link.count.delivered.bytes),
            "deliveredPackets": .whole(link.count.delivered.packets),
            "droppedPackets": .whole(link.count.dropped.packets),
            "retransmittedPackets": .whole(link.retransmitted.packets),
            "sentPackets": .whole(link.count.sent.packets),
        ]
        exact["medianTransitNanoseconds"] = FigureValue(link.transit?.median)
        exact["percentile99TransitNanoseconds"] = FigureValue(link.transit?.percentile99)
        self.init(name: "the \(link.name)", exact: exact, world: world)
    }

    fileprivate init(
        name: String, exact: [String: FigureValue], world: RunBeginning.World
    ) {
        switch world {
        case .simulated: self.init(name: name, exact: exact)
        case .live, .served:
            // Texts are left out: the digest of a live run is different each time.
            let numbers = exact.compactMapValues(\.number)
            self.init(
                name: name,
                measured: numbers.mapValues { MeasuredFigure([$0], better: .neither) })
        }
    }
}

extension FigureValue {
    fileprivate init?(_ span: TimeSpan?) {
        guard let span, span >= .zero else { return nil }
        self = .whole(UInt64(span.nanoseconds))
    }

    fileprivate init?(_ rate: Bitrate?) {
        guard let rate else { return nil }
        self = .whole(rate.bitsPerSecond)
    }
}
