import Device
import Quantities
import Testing

/// Android's battery saver gives the network to apps in front alone.
@Suite struct BatterySaverTests {
    private func phone(after inputs: DeviceNetwork.Input...) -> DeviceNetwork {
        var network = DeviceNetwork([.wifi, .cellular], DeviceNetwork.Settings(gap: .zero))
        var outputs: [DeviceNetwork.Output] = []
        for (second, input) in ([.begins] + inputs).enumerated() {
            _ = network.handle(input, at: .start + .seconds(Int64(second)), into: &outputs)
        }
        return network
    }

    @Test func `what runs behind has no network, and the rest has what there is`() {
        let saving = phone(after: .batterySaver(true))
        #expect(saving.pathBehind == .none)
        #expect(saving.path.kind == .wifi)
        #expect(phone(after: .batterySaver(true), .lost(.wifi)).path.kind == .cellular)
        #expect(phone(after: .lowDataMode(true)).pathBehind.isLowData)
    }

    @Test(arguments: [DeviceNetwork.Input.batterySaver(false), .heals])
    func `it ends when it is switched off, and when all is well again`(end: DeviceNetwork.Input) {
        let phone = phone(after: .batterySaver(true), end)
        #expect(phone.pathBehind == phone.path)
        #expect(!phone.isSavingBattery)
    }

    @Test func `it outlasts a restart of the phone`() {
        let phone = phone(after: .batterySaver(true), .power(on: false), .power(on: true))
        #expect(phone.isSavingBattery)
    }

    @Test func `a charged phone keeps it off`() {
        let input = DeviceNetwork.Input.batterySaver(true)
        #expect(input.whileCharged(true) == .batterySaver(false))
        #expect(input.whileCharged(false) == input)
        #expect(DeviceNetwork.Input.lost(nil).whileCharged(true) == .lost(nil))
    }
}
