import Quantities
import RunLog

/// The charts of links and of flows over time, in a fixed order.
enum FlowCharts {
    static func links(of model: ReportModel) -> Markup? {
        guard let links = model.series.links, !links.isEmpty else { return nil }
        return """
            \(linkCharts(links, of: model).map(\.markup))
            <p class="note">In steps of \(span(links.map(\.step))). Other traffic on a link \
            counts.\(leftOut(model.series.linksLeftOut, "link", "links"))</p>
            """
    }

    static func flows(of model: ReportModel) -> Markup? {
        guard let flows = model.series.flows, !flows.isEmpty else { return nil }
        return """
            \(flowCharts(flows, of: model).map(\.markup))
            <p class="note">In steps of \(span(flows.map(\.step))), as the sender sees \
            it.\(leftOut(model.series.flowsLeftOut, "connection", "connections"))</p>
            """
    }

    // MARK: Links

    private static func linkCharts(
        _ links: [RunSeries.Link], of model: ReportModel
    ) -> [LineChart] {
        let scale = TimeScale(length: model.duration)
        let drops = LineChart(
            id: "drops-chart", title: "Drops, in packets per step", isTitled: true,
            description: words(links) { link in
                "\(link.dropped.reduce(0, +)) packets were dropped"
            }, unit: .packets, scale: scale,
            lines: links.map { link in
                line("\(link.name), dropped", link.dropped.map { Double($0) }, of: link)
            })
        let delay = LineChart(
            id: "queueing-chart", title: "Queueing delay, in seconds", isTitled: true,
            description: words(links) { link in
                let longest = link.queueingDelay.compactMap(\.self).max() ?? .zero
                return "packets queued for at most \(longest.rounded)"
            }, unit: .seconds, scale: scale,
            lines: links.map { link in
                line(
                    "\(link.name), queueing", link.queueingDelay.map { $0?.seconds ?? 0 }, of: link)
            })
        let bytes = LineChart(
            id: "on-link-chart", title: "Bytes on the links", isTitled: true,
            description: words(links) { link in
                "at most \(link.onLink.max()?.rounded ?? "nothing") on the link"
            }, unit: .bytes, scale: scale,
            lines: links.map { link in
                line("\(link.name), on the link", link.onLink.map { Double($0.bytes) }, of: link)
            }, references: capacities(of: links, in: model.figures))
        return [drops, delay, bytes]
    }

    /// Returns what each link holds without and with a full queue, if it is close enough to what
    /// the link held.
    private static func capacities(
        of links: [RunSeries.Link], in figures: Figures
    ) -> [LineChart.Reference] {
        links.flatMap { link -> [LineChart.Reference] in
            guard let terms = figures.links.first(where: { $0.link == link.link })?.terms,
                terms.hasConstantRate, terms.hasConstantDelay
            else { return [] }
            let product = Double(terms.rate.bitsPerSecond) / 8 * terms.delay.seconds
            let full = product + Double(terms.queueLimit.bytes)
            return [("rate × delay", product), ("with a full queue", full)].map { name, value in
                let size = ByteCount(UInt64(value)).rounded
                return .init(name: "\(link.name), \(name), \(size)", value: value)
            }.worthDrawing(beside: Double(link.onLink.max()?.bytes ?? 0))
        }
    }

    private static func line(
        _ name: String, _ values: [Double], of link: RunSeries.Link
    ) -> LineChart.Line {
        let points = steps(values, from: .start, width: link.step)
        return LineChart.Line(name: name, points: points, outline: points)
    }

    // MARK: Flows

    private static func flowCharts(
        _ flows: [RunSeries.Flow], of model: ReportModel
    ) -> [LineChart] {
        let scale = TimeScale(length: model.duration)
        let inFlight = LineChart(
            id: "in-flight-chart", title: "Bytes in flight", isTitled: true,
            description: words(flows) { flow in
                "at most \(flow.inFlight.max()?.rounded ?? "nothing") in flight"
            }, unit: .bytes, scale: scale,
            lines: lines(flows, "in flight", .solid) { flow in
                steps(flow.inFlight.map { Double($0.bytes) }, from: flow.from, width: flow.step)
            }
                + lines(flows, "window", .dashed) { flow in
                    steps(
                        (flow.window ?? []).map { $0.map { Double($0.bytes) } }, from: flow.from,
                        width: flow.step)
                }
                + lines(flows, "threshold", .dots) { flow in
                    steps(
                        (flow.threshold ?? []).map { $0.map { Double($0.bytes) } },
                        from: flow.from, width: flow.step)
                }, references: theories(of: flows, in: model.figures))
        let roundTrip = LineChart(
            id: "round-trip-chart", title: "Round-trip time, in seconds", isTitled: true,
            description: words(flows) { flow in
                let longest = flow.longestRoundTrip.compactMap(\.self).max()
                return "round trips of at most \(longest?.rounded ?? "no known time")"
            }, unit: .seconds, isStepped: false, scale: scale,
            lines: lines(flows, "mean round trip", .solid) {
                middles($0.roundTrip.map { $0?.seconds }, of: $0)
            }
                + lines(flows, "longest round trip", .dashed) {
                    middles($0.longestRoundTrip.map { $0?.seconds }, of: $0)
                })
        let sequence = LineChart(
            id: "sequence-chart", title: "Sequence, in bytes", isTitled: true,
            description: words(flows) { flow in
                "\(flow.bytes.rounded) sent, "
                    + "\(flow.acknowledged.last?.rounded ?? "nothing") acknowledged"
            }, unit: .bytes, isStepped: false, scale: scale,
            lines: lines(flows, "sent", .solid) { ends($0.sent, of: $0) }
                + lines(flows, "acknowledged", .dashed) { ends($0.acknowledged, of: $0) }
                + lines(flows, "retransmitted", .dots) { flow in
                    middles(
                        (flow.retransmitted ?? []).map { $0.map { Double($0.bytes) } }, of: flow)
                } + slopes(of: flows, in: model))
        return [inFlight, roundTrip, sequence]
    }

    /// Returns the mean bytes in flight by theory.
    private static func theories(
        of flows: [RunSeries.Flow], in figures: Figures
    ) -> [LineChart.Reference] {
        let greatest = flows.compactMap { $0.inFlight.max()?.bytes }.max() ?? 0
        return flows.compactMap { flow in
            LinkTheory(of: flow.link, in: figures).map {
                .init(name: $0.name, value: $0.inFlight, isTheory: true)
            }
        }.worthDrawing(beside: Double(greatest))
    }

    /// Returns how the bytes of the largest flow would arrive by theory.
    private static func slopes(
        of flows: [RunSeries.Flow], in model: ReportModel
    ) -> [LineChart.Line] {
        guard let place = flows.indices.max(by: { flows[$0].bytes < flows[$1].bytes }),
            let theory = LinkTheory(of: flows[place].link, in: model.figures)
        else { return [] }
        let flow = flows[place]
        let rest = (Instant.start + model.duration - flow.from).seconds
        let time = min(rest, Double(flow.bytes.bytes) / theory.goodput)
        let points = [
            LineChart.Point(at: flow.from, value: 0),
            LineChart.Point(
                at: flow.from + TimeSpan(nanoseconds: Int64(time * 1e9)),
                value: time * theory.goodput),
        ]
        return [
            .init(
                name: "\(flow.name), \(theory.name)", points: points, outline: points,
                look: .slope, colour: place)
        ]
    }

    /// Returns a line for each flow that has points, in the flow's colour.
    private static func lines(
        _ flows: [RunSeries.Flow], _ what: String, _ look: LineChart.Look,
        _ points: (RunSeries.Flow) -> [LineChart.Point]
    ) -> [LineChart.Line] {
        flows.enumerated().compactMap { order, flow in
            let points = points(flow)
            return points.isEmpty
                ? nil
                : LineChart.Line(
                    name: "\(flow.name), \(what)", points: points, outline: points, look: look,
                    colour: order)
        }
    }

    /// Returns points at the beginnings of steps, and one at the end of the last. A step without a
    /// value of its own has no point, so that the value before it holds.
    private static func steps(
        _ values: [Double?], from begin: Instant, width: TimeSpan
    ) -> [LineChart.Point] {
        var points: [LineChart.Point] = []
        for (order, value) in values.enumerated() {
            guard let value, value != points.last?.value else { continue }
            points.append(.init(at: begin + width * Int64(order), value: value))
        }
        guard let last = points.last else { return [] }
        return points + [.init(at: begin + width * Int64(values.count), value: last.value)]
    }

    /// Returns points at the middles of the steps that have a value.
    private static func middles(
        _ values: [Double?], of flow: RunSeries.Flow
    ) -> [LineChart.Point] {
        let half = TimeSpan(nanoseconds: flow.step.nanoseconds / 2)
        return values.enumerated().compactMap { order, value in
            value.map { .init(at: flow.from + flow.step * Int64(order) + half, value: $0) }
        }
    }

    /// Returns points at the ends of steps, after one at the beginning of the first. Within a level
    /// stretch there are none.
    private static func ends(_ values: [ByteCount], of flow: RunSeries.Flow) -> [LineChart.Point] {
        let all = [.zero] + values
        return all.indices.compactMap { order in
            let isWithin = order > 0 && order + 1 < all.count
            guard !isWithin || all[order] != all[order - 1] || all[order] != all[order + 1]
            else { return nil }
            return .init(
                at: flow.from + flow.step * Int64(order), value: Double(all[order].bytes))
        }
    }

    // MARK: Words

    private static func words(
        _ links: [RunSeries.Link], _ sentence: (RunSeries.Link) -> String
    ) -> String {
        links.map { "\($0.name): \(sentence($0))." }.joined(separator: " ")
    }

    private static func words(
        _ flows: [RunSeries.Flow], _ sentence: (RunSeries.Flow) -> String
    ) -> String {
        flows.map { "\($0.name): \(sentence($0))." }.joined(separator: " ")
    }

    private static func span(_ steps: [TimeSpan]) -> String {
        let (least, most) = (steps.min() ?? .zero, steps.max() ?? .zero)
        return least == most ? most.rounded : "\(least.rounded) to \(most.rounded)"
    }

    private static func leftOut(_ count: Int?, _ one: String, _ many: String) -> String {
        guard let count, count > 0 else { return "" }
        return count == 1
            ? " One more \(one) with fewer bytes is not drawn."
            : " \(count) more \(many) with fewer bytes are not drawn."
    }
}

extension RunSeries.Flow {
    /// The name of the flow or the connection, or else its number; and the stream's direction.
    var name: String {
        let direction = sender == .client ? "up" : "down"
        return "\(label ?? connection?.description ?? "flow \(flow)") \(direction)"
    }
}
