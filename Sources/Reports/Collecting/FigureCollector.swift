import Checks
package import Quantities
package import RunLog

/// Follows a run and keeps what a report needs, in memory that does not grow with its packets.
package struct FigureCollector: RunLogReader, Sendable {
    package private(set) var beginning: RunBeginning?
    package private(set) var ending: RunEnding?
    package private(set) var limitations: [ReportModel.Limitation] = []
    package private(set) var eventCount = 0
    package private(set) var lastMoment = Instant.start

    private var events = EventBook()
    private var moments = MomentBook()
    private var app = AppBook()
    private var disks = DiskBook()
    private var sessions = SessionBook()
    private var connections = ConnectionBook()
    private var server = ServerBook()
    private var answers = AnswerBook()
    private var links = LinkBook()
    private var radios = RadioBooks()
    private var flows = FlowLedger()
    private var bodies = SentBodies()
    package private(set) var oddities = OddityBook()
    private var durableChanges = 0
    /// What only the charts of links and flows show; `nil` if nobody draws them.
    private var seriesBook: SeriesBook?

    package init(drawsSeries: Bool = true) { seriesBook = drawsSeries ? SeriesBook() : nil }

    package mutating func read(_ event: RunEvent) {
        defer { eventCount += 1 }
        lastMoment = max(lastMoment, event.at)
        events.read(event, index: eventCount, names)
        moments.read(event, index: eventCount, names)
        bodies.read(event)
        oddities.read(event)
        flows.read(event)
        if beginning?.world == .simulated { seriesBook?.read(event.fact, at: event.at) }
        switch event.fact {
        case .run(let fact): read(fact)
        case .link(let fact):
            links.read(fact)
            radios.read(fact, at: event.at)
        case .network(let fact):
            links.read(fact)
            radios.read(fact, at: event.at)
        case .device(let fact):
            app.read(fact, of: event.app, at: event.at)
            disks.read(fact, at: event.at)
            sessions.read(fact, of: event.app, at: event.at)
        case .queue(let fact): sessions.read(fact, at: event.at)
        case .operations(let fact): sessions.read(fact, at: event.at)
        case .entries(let fact): sessions.read(fact, at: event.at)
        case .background(let fact): sessions.read(fact, at: event.at)
        case .engine(let fact): sessions.read(fact, of: event.app, at: event.at)
        case .store(let fact), .daemon(.store(let fact, _)):
            if case .committed = fact { durableChanges += 1 }
        case .connection(let fact):
            connections.read(fact, at: event.at)
        case .server(let fact):
            server.read(fact, at: event.at)
            answers.read(fact, at: event.at)
        case .file(let fact): sessions.read(fact)
        case .packets, .daemon, .shown: break
        }
    }

    package mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
        links.read(packets: batch)
        radios.read(packets: batch)
        flows.read(packets: batch)
        seriesBook?.read(packets: batch)
        if let last = batch.last {
            lastMoment = max(lastMoment, Instant(nanoseconds: last.atNanoseconds))
        }
    }

    package mutating func read(windows: [CongestionWindow]) { seriesBook?.read(windows: windows) }

    private var names: RunNames { beginning?.names ?? RunNames() }

    private mutating func read(_ fact: RunFact) {
        switch fact {
        case .began(let beginning):
            self.beginning = beginning
            links.read(beginning)
        case .limited(let what, let remedy):
            limitations.append(.init(what: what, remedy: remedy))
        case .ended(let ending): self.ending = ending
        case .conditionMet, .healing: break
        }
    }
}

extension FigureCollector {
    func figures() -> Figures {
        Figures(
            sessions: sessions.figures(until: lastMoment).map { row in
                var row = row
                row.sentAgain = row.files.reduce(.zero) { $0 + bodies.sentAgain(of: $1.transfer) }
                row.floor = links.floor(
                    for: row.payload, from: row.firstRunningAt ?? .start,
                    isDownload: row.isDownload)
                return row
            }, links: links.figures(), shares: links.shareFigures(), flows: namedFlows,
            captures: links.captureFigures(), connections: connections.figures,
            connectionsLeftOut: connections.leftOut,
            interfaces: radios.figures(until: lastMoment), service: answers.figures,
            launches: app.launches, kills: app.kills,
            requests: connections.requests + answers.requests, refusals: server.refusals,
            publications: server.publications, durableChanges: durableChanges)
    }

    /// `nil` if the scenario measures none.
    private var namedFlows: [NamedFlowFigures]? {
        flows.accounts.isEmpty ? nil : NamedFlowFigures.all(in: flows, until: lastMoment)
    }

    func series() -> RunSeries {
        var series = RunSeries(
            throughput: links.throughput(until: lastMoment), progress: sessions.progress(),
            totalProgress: sessions.totalProgress())
        seriesBook?.fill(&series, naming: links.name, until: lastMoment)
        return series
    }

    func timeline() -> Timeline {
        var timeline = Timeline()
        timeline.lanes = app.lanes(until: lastMoment, names) + disks.lanes(until: lastMoment, names)
        timeline.lanes += sessions.lanes(until: lastMoment)
        timeline.lanes += radios.timelineLanes(until: lastMoment, names)
        timeline.lanes.append(connections.lane(until: lastMoment))
        timeline.lanes += server.lanes(until: lastMoment)
        timeline.lanes.removeAll { $0.spans.isEmpty }
        (timeline.moments, timeline.momentsLeftOut) = moments.chosen(until: lastMoment)
        return timeline
    }

    func excerpt() -> EventExcerpt { events.excerpt }
}
