import Quantities
import Recording
import RunLog
import Testing
import TransferEngine

@Suite struct DaemonRecorderTests {
    /// One bit of a row is enough for that.
    @Test func `a lost task of an app that the phone does not have is nobody's to name (S7)`() {
        var recorder = DaemonRecorder(apps: [AppNumbers()])
        var log = RunLogSink()
        let lost = [TaskID(app: 0, number: 3), TaskID(app: 32_768, number: 4)]
        recorder.recordOpening(
            [], delays: [],
            after: TaskStoreSetAside(name: "damaged-1", reason: "a test", lost: lost),
            at: .start, into: &log)
        var reader = Facts()
        log.drain(into: &reader)
        let named = reader.facts.compactMap { fact -> [ItemName]? in
            guard case .daemon(.store(.setAside(_, _, _, let lost), _)) = fact else { return nil }
            return lost
        }
        #expect(named == [[ItemName(3, of: .background)]])
    }

    private struct Facts: RunLogReader {
        var facts: [RunEvent.Fact] = []
        mutating func read(_ event: RunEvent) { facts.append(event.fact) }
        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {}
    }
}
