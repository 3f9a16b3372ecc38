import Quantities
import Testing

@testable import Simulation

@Suite struct CubeRootTests {
    @Test(arguments: [UInt64(0), 1, 7, 8, 26, 27, 1_000_000, 999_999_999_999, .max])
    func `its cube is at most the number, and the next one's is more`(number: UInt64) {
        Self.check(number)
    }

    @Test func `so it is for numbers of every size`() {
        var random = RandomStream(seed: 1, name: "numbers")
        for size in UInt64(0)..<64 {
            for _ in 0..<50 { Self.check(random.next() >> size) }
        }
    }

    private static func check(_ number: UInt64) {
        let root = CubeRoot.of(number)
        #expect(root * root * root <= number, "\(number)")
        let next = root + 1
        let (cube, overflow) = (next * next).multipliedReportingOverflow(by: next)
        #expect(overflow || cube > number, "\(number)")
    }
}
