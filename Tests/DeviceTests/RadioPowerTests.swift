import Device
import Testing

@Suite struct RadioPowerTests {
    @Test(arguments: [InterfaceKind.cellular, .wifi])
    func `to send a megabit costs more than to receive it`(kind: InterfaceKind) throws {
        let radio = try #require(RadioPower(kind))
        #expect(radio.millijoulesPerMegabitUp > radio.millijoulesPerMegabitDown)
        #expect(radio.millijoulesPerMegabitDown > 0)
    }
}
