import Device
import Facts
import Quantities
import Testing

@Suite struct DeviceEventTests {
    @Test(
        arguments: [
            .appOpened(3), .appWoken(3), .forceQuit(3), .crash(3), .kill(3), .dataCleared(3),
            .updated(3), .bitsFlip(3, count: 1), .mode(3, .location, isOn: true),
        ] as [DeviceEvent])
    func `what happens to an app names it`(event: DeviceEvent) {
        #expect(event.app == 3)
    }

    @Test(
        arguments: [
            .home, .locked, .unlocked, .callComes, .callEnds, .memoryPressure, .reboot,
            .powerLost, .powerBack, .lowPower(true), .clockJumps(.seconds(3), .user),
        ] as [DeviceEvent])
    func `what happens to the phone names no app`(event: DeviceEvent) {
        #expect(event.app == nil)
    }
}
