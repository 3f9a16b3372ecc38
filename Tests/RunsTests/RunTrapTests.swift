import Foundation
import Reports
import Synchronization
import Testing

@testable import Runs

/// A run that traps ends alone: it is told by its name, and the others are played.
@Suite struct RunTrapTests {
    /// The ways in which a program in Swift traps.
    enum Way: CaseIterable {
        case precondition, index, abort, badAccess, endlessRecursion

        func trap() -> Int {
            switch self {
            case .precondition: preconditionFailure("a trap that a test wants")
            case .index: return [1, 2][abs(Int(getpid()))]
            case .abort: Foundation.abort()
            case .badAccess:
                return UnsafePointer<Int>(bitPattern: 8 + abs(Int(getpid())) * 0)?.pointee ?? 0
            case .endlessRecursion: return Way.fall(from: 1)
            }
        }

        private static func fall(from depth: Int) -> Int {
            depth == 0 ? 0 : fall(from: depth + 1) + 1
        }
    }

    @Test(arguments: Way.allCases, [1, 3])
    func `the others are played, and told in order`(way: Way, threads: Int) throws {
        let workers = RunWorkers<Int>(count: 12) { index, _ in
            .success(index % 5 == 2 ? way.trap() : index)
        }
        var told: [Int] = []
        let outcomes = workers.run(threads: threads) { index, _ in told.append(index) }
        #expect(told == Array(0..<12))
        for index in 0..<12 {
            switch try #require(outcomes[index]) {
            case .success(let value): #expect(value == index && index % 5 != 2)
            case .failure(let failure):
                #expect(index % 5 == 2 && failure.trap != nil)
                #expect(failure.description.contains("trapped"))
            }
        }
    }

    @Test func `no other run begins after a trap if that is wished`() {
        let workers = RunWorkers<Int>(count: 9, failingUnless: { _ in true }) { index, _ in
            .success(index == 2 ? Way.abort.trap() : index)
        }
        #expect(workers.run(threads: 1) { _, _ in }.keys.sorted() == [0, 1, 2])
    }

    @Test func `a trap is a product if there is one for it, and else a failure with its label`()
        throws
    {
        let products = try RunWorkers<Int>.products(
            count: 3, jobs: 1, label: { "point \($0 + 1)" },
            play: { $0 == 1 ? Way.precondition.trap() : $0 },
            trapped: { index, trap in -index * Int(trap.signal) })
        #expect(products[0] == 0 && products[1] < 0 && products[2] == 2)
        let failure = #expect(throws: RunFailure.self) {
            try RunWorkers<Int>.product(label: "seed 7") { Way.abort.trap() }
        }
        #expect(
            failure?.description == "seed 7: the program trapped in this run: SIGABRT, the "
                + "program aborted itself")
    }

    @Test func `standard error names the run at once`() throws {
        let pipe = Pipe()
        let before = dup(STDERR_FILENO)
        dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
        _ = RunWorkers<Int>(count: 1, label: { _ in "a run of this test" }) { _, _ in
            .success(Way.abort.trap())
        }.run(threads: 1) { _, _ in }
        dup2(before, STDERR_FILENO)
        close(before)
        try pipe.fileHandleForWriting.close()
        let text = try String(
            decoding: pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("transferlab: trap in a run of this test\n"))
    }

    @Test func `a suite has the run as trapped, with its seed and the command`() throws {
        let cases = try SuiteCase.all(
            of: [HouseScenarios.readShort(SeedTests.lossless)], seeds: [3, 9])
        let run = SuiteRun(cases, folder: nil)
        let entry = try #require(try run.play().entries.first)
        let suite = run.suite(of: [
            0: .success(entry), 1: .failure(RunFailure(RunTrap(signal: SIGILL))),
        ])
        #expect(suite.entries.count == 1 && suite.notPlayed.isEmpty && suite.leftOut.isEmpty)
        #expect(!suite.isGreen && suite.count == 2)
        let trapped = try #require(suite.trapped.first)
        #expect(trapped.seed == 9 && trapped.scenario == entry.scenario)
        #expect(trapped.command == "./lab run \(trapped.path) --seed 9")
        try suite.requireWhole()
    }
}
