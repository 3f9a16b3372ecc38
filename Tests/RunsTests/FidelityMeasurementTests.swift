import Foundation
import Synchronization
import Testing

@testable import Runs

/// The order of a measurement, with a kernel that answers at once.
@Suite struct FidelityMeasurementTests {
    private let cells = FidelityCell.chosen(by: "reno-3%")

    @Test(arguments: [1, 3])
    func `an interrupted measurement goes on with what is missing, and loses no finished run`(
        jobs: Int
    ) throws {
        let folder = try ReportsFolder()
        let first = Journal(failingAfter: 5)
        let failure = #expect(throws: RunFailure.self) {
            _ = try FidelityMeasurement(folder.file, jobs: jobs, carry: first.carry).run(
                FidelityTask.missing(in: FidelityData(), of: cells), data: FidelityData()
            ) { _, _ in }
        }
        #expect(failure?.description == "the measurement was interrupted")
        let between = try folder.file.read()
        let left = FidelityTask.missing(in: between, of: cells)
        #expect(left.count == 12 - 5, "what was over is in the file")

        let second = Journal(failingAfter: .max)
        let data = try FidelityMeasurement(folder.file, jobs: jobs, carry: second.carry).run(
            left, data: between
        ) { _, _ in }
        #expect(Set(second.tasks) == Set(left) && second.tasks.count == left.count)
        #expect(FidelityTask.missing(in: data, of: cells).isEmpty)
        #expect(try folder.file.read() == data)
    }

    @Test func `a run in which the emulator was late is tried again, three times at most`() throws {
        let folder = try ReportsFolder()
        let journal = Journal(failingAfter: .max, lateCell: cells[1])
        let data = try FidelityMeasurement(folder.file, jobs: 1, carry: journal.carry).run(
            FidelityTask.missing(in: FidelityData(), of: Array(cells.prefix(2))),
            data: FidelityData()
        ) { _, _ in }
        #expect(journal.tasks.count { $0.cell == cells[0] } == 3)
        #expect(journal.tasks.count { $0.cell == cells[1] } == 9)
        #expect(FidelityTask.missing(in: data, of: cells).filter { $0.cell == cells[1] }.count == 3)
    }

    @Test func `a file that cannot be written ends the measurement with the reason`() throws {
        let folder = try ReportsFolder()
        try Data().write(to: folder.url.appending(path: "baselines"))
        let journal = Journal(failingAfter: .max)
        let failure = #expect(throws: RunFailure.self) {
            _ = try FidelityMeasurement(folder.file, jobs: 2, carry: journal.carry).run(
                FidelityTask.missing(in: FidelityData(), of: cells), data: FidelityData()
            ) { _, _ in }
        }
        #expect(
            failure?.description.contains("cannot write") == true, "\(failure.debugDescription)")
    }
}

/// Plays the kernel, and remembers what was asked of it.
private final class Journal: Sendable {
    private let asked = Mutex<[FidelityTask]>([])
    private let limit: Int
    private let lateCell: FidelityCell?

    init(failingAfter limit: Int, lateCell: FidelityCell? = nil) {
        self.limit = limit
        self.lateCell = lateCell
    }

    var tasks: [FidelityTask] { asked.withLock { $0 } }

    var carry: FidelityMeasurement.Carry {
        { task throws(RunFailure) in
            let count = self.asked.withLock { asked in
                asked.append(task)
                return asked.count
            }
            guard count <= self.limit else {
                throw RunFailure("the measurement was interrupted")
            }
            return .madeUp(
                pattern: task.pattern, latePackets: task.cell == self.lateCell ? 5_000 : 0)
        }
    }
}

/// A folder of reports of one test, gone with it.
final class ReportsFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "fidelity \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var file: FidelityFile { FidelityFile(reports: url.path) }
}
