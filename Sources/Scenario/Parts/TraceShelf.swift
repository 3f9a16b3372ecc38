import LinkModels
import Quantities
package import RunLog

/// The trace files of scenarios. Each is read once, however many links, cases and files name it.
package final class TraceShelf {
    /// Opens a file by its path and gives its blocks to the closure, until that returns false.
    /// Returns why the file cannot be read; `nil` if it was read.
    package typealias Opening = (String, (UnsafeRawBufferPointer) -> Bool) -> String?

    private let open: Opening
    private var rates: [String: Reading<DeliveryTrace>] = [:]
    private var delays: [String: Reading<DelayCourse>] = [:]

    typealias Reading<Trace> = Result<Trace, TraceMistake>

    package init(opening open: @escaping Opening) { self.open = open }

    /// Makes a shelf from the traces in a log.
    package init(_ traces: [IncludedTrace]) {
        open = { _, _ in "the log does not have it" }
        for trace in traces {
            switch trace.kind {
            case .chances:
                rates[trace.path] = DeliveryTrace(trace.steps).map { .success($0) }
            case .delays:
                let course = DelayCourse(trace.steps, repeats: true)
                delays[trace.path] = course.map { .success($0) }
            }
        }
    }

    /// Returns the rate in a file.
    func rate(_ path: String) -> Reading<DeliveryTrace> {
        let reading = rates[path] ?? read(path, by: DeliveryTraceReader())
        rates[path] = reading
        return reading
    }

    /// Returns the delays in a file.
    func delay(_ path: String) -> Reading<DelayCourse> {
        let reading = delays[path] ?? read(path, by: DelayTraceReader())
        delays[path] = reading
        return reading
    }

    private func read<Reader: TraceReader>(
        _ path: String, by reader: Reader
    ) -> Reading<Reader.Trace> {
        var reader = reader
        var mistake: TraceMistake?
        let failure = open(path) { block in
            do throws(TraceMistake) { try reader.read(block) } catch { mistake = error }
            return mistake == nil
        }
        if let failure {
            return .failure(
                TraceMistake(
                    "the trace \(path) cannot be read: \(failure)",
                    expected: "the path from here of a text file with \(Reader.form)"))
        }
        if let mistake { return .failure(mistake) }
        do throws(TraceMistake) { return .success(try reader.finish()) } catch {
            return .failure(error)
        }
    }
}

/// The trace files that a scenario names, numbered for its links.
final class NamedTraces {
    private let shelf: TraceShelf
    /// The traces of the case that is being read.
    private(set) var traces: [IncludedTrace] = []

    init(_ shelf: TraceShelf) { self.shelf = shelf }

    /// Forgets the traces of the case before.
    func beginCase() { traces = [] }

    /// Reads a rate from the file that these words name.
    func rate(_ words: PlacedText) -> DeliveryTrace? {
        let path = Self.path(of: words)
        guard var trace = taken(shelf.rate(path), from: path, words) else { return nil }
        trace.file = number(.init(kind: .chances, path: path, steps: trace.moments))
        return trace
    }

    /// Reads delays from the file that these words name.
    func delay(_ words: PlacedText) -> DelayCourse? {
        let path = Self.path(of: words)
        guard var course = taken(shelf.delay(path), from: path, words) else { return nil }
        course.file = number(.init(kind: .delays, path: path, steps: course.steps))
        return course
    }

    private static func path(of words: PlacedText) -> String {
        guard words.text.first != "/" else { return words.text }
        return PartPath.joining(
            words.text, to: words.mistakes.sources[words.place.file].path)
    }

    private func number(_ trace: IncludedTrace) -> Int {
        if let known = traces.firstIndex(where: { $0.path == trace.path && $0.kind == trace.kind })
        {
            return known
        }
        traces.append(trace)
        return traces.count - 1
    }

    /// Returns the trace, or reports its mistake: in the file, if a line is at fault.
    private func taken<Trace>(
        _ reading: TraceShelf.Reading<Trace>, from path: String, _ words: PlacedText
    ) -> Trace? {
        switch reading {
        case .success(let trace): return trace
        case .failure(let mistake):
            guard let line = mistake.line else {
                return words.refuse(mistake.message, expected: mistake.expected)
            }
            var diagnostic = Diagnostic(
                file: path, line: line, column: 1, message: mistake.message)
            diagnostic.expected = mistake.expected
            diagnostic.sourceLine = mistake.text
            words.mistakes.add(diagnostic, namedAt: words.place)
            return nil
        }
    }
}
