import Facts
import Testing

@Suite struct FactSizeTests {
    /// A run copies each of its facts about a hundred times. When the largest had 432 bytes, an
    /// upload took a tenth longer.
    @Test func `no fact is so large that all others are copied slowly`() {
        #expect(MemoryLayout<Fact>.size <= 96)
    }
}
