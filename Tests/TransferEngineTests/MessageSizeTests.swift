import Testing

@testable import TransferEngine

@Suite struct MessageSizeTests {
    /// Inputs and outputs are copied through every host, and become facts. When one of them had 338
    /// bytes and a fact 432, a start of the queue took four tenths longer.
    @Test func `no message is so large that all others are copied slowly`() {
        #expect(MemoryLayout<EngineInput>.size <= 96)
        #expect(MemoryLayout<EngineOutput>.size <= 96)
        #expect(MemoryLayout<DaemonInput>.size <= 96)
        #expect(MemoryLayout<DaemonOutput>.size <= 96)
    }
}
