import Device
import Testing

@Suite struct NetworkWordsTests {
    typealias Line = (input: DeviceNetwork.Input, words: String?)

    static let lines: [Line] = [
        (.begins, nil), (.wake, nil), (.heals, nil), (.power(on: true), nil),
        (.lost(nil), "the network is lost"), (.lost(.line), "the line is lost"),
        (.lost(.wifi), "Wi-Fi is lost"), (.lost(.cellular), "cellular is lost"),
        (.found(nil, moved: false), "the network is back"),
        (.found(.wifi, moved: true), "Wi-Fi is back, as another network"),
        (.fades(.cellular), "cellular fades away while another network takes over"),
        (.airplaneMode(true), "airplane mode is on"),
        (.airplaneMode(false), "airplane mode is off"),
        (.portalComes(dropsOthers: false), "a captive portal appears before Wi-Fi"),
        (
            .portalComes(dropsOthers: true),
            "a captive portal appears before Wi-Fi, which drops what it does not serve"
        ),
        (.login, "the user logs in at the captive portal"),
        (
            .mappingsForgotten(resets: false),
            "the network's translator of addresses forgets its mappings"
        ),
        (
            .mappingsForgotten(resets: true),
            "the network's translator of addresses forgets its mappings, and resets who goes on"
        ),
        (.wifiMetered(true), "Wi-Fi becomes metered"),
        (.wifiMetered(false), "Wi-Fi becomes unmetered"),
        (.lowDataMode(true), "low data mode is on"),
        (.lowDataMode(false), "low data mode is off"),
        (
            .doze(true), "the phone dozes: apps have no network but for minutes now and then"
        ),
        (.doze(false), "the phone dozes no more"),
        (.batterySaver(true), "the battery saver is on: only apps in front have a network"),
        (.batterySaver(false), "the battery saver is off"),
    ]

    @Test(arguments: lines) func `what happens is said as a person would`(line: Line) {
        #expect(line.input.words == line.words)
    }
}
