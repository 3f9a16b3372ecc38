import Foundation

/// The events of many traces, which come in turns and are read trace by trace.
///
/// They wait in a temporary file without a name, so that memory does not grow with them.
final class TraceSpool {
    private let file: UnsafeMutablePointer<FILE>
    private var traces: [Trace] = []
    private var end = 0
    private var isWhole = true

    private static let blockSize = 16 * 1024

    private struct Trace {
        /// The latest events, separated by commas.
        var waiting = Data()
        var blocks: [Range<Int>] = []
    }

    init() throws(RunFailure) {
        guard let file = tmpfile() else {
            throw RunFailure(
                "no temporary file can be made: \(String(cString: strerror(errno))); is the disk "
                    + "full?")
        }
        self.file = file
    }

    deinit { fclose(file) }

    func append(_ event: Data, to trace: Int) {
        while traces.count <= trace { traces.append(Trace()) }
        if hasEvents(trace) { traces[trace].waiting += Data(",\n".utf8) }
        traces[trace].waiting += event
        if traces[trace].waiting.count >= Self.blockSize { spill(trace) }
    }

    func hasEvents(_ trace: Int) -> Bool {
        trace < traces.count && !(traces[trace].waiting.isEmpty && traces[trace].blocks.isEmpty)
    }

    /// Writes the events of a trace, separated by commas.
    func copy(_ trace: Int, to output: ExportFile) throws(RunFailure) {
        for block in traces[trace].blocks {
            var data = Data(count: block.count)
            fseek(file, block.lowerBound, SEEK_SET)
            let count = data.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
            guard isWhole, count == block.count else {
                throw RunFailure("a temporary file could not be written; is the disk full?")
            }
            try output.write(data)
        }
        try output.write(traces[trace].waiting)
    }

    private func spill(_ trace: Int) {
        let data = traces[trace].waiting
        let written = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        isWhole = isWhole && written == data.count
        traces[trace].blocks.append(end..<end + data.count)
        end += data.count
        traces[trace].waiting.removeAll(keepingCapacity: false)
    }
}
