import Device
import Testing

@Suite struct RadioPowerTests {
    /// Huang et al., “A Close Examination of Performance and Power Characteristics of 4G LTE
    /// Networks”, MobiSys 2012.
    @Test func `to send costs more than to receive, by as much as was measured`() throws {
        let cellular = try #require(RadioPower(.cellular))
        #expect(cellular.millijoulesPerMegabitUp == 438.39)
        #expect(cellular.millijoulesPerMegabitDown == 51.97)
        let wifi = try #require(RadioPower(.wifi))
        #expect(wifi.millijoulesPerMegabitUp == 283.17)
        #expect(wifi.millijoulesPerMegabitDown == 137.01)
        #expect(RadioPower(.line) == nil)
    }
}
