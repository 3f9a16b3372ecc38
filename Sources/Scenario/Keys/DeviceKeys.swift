import Device
import RunPlan

/// The key `device`: what phone the app is on. Without it nothing is ever suspended.
enum DeviceKeys {
    static let example = "{ os: ios-17 }"

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        keys.read(node, into: &draft.device, mistakes: &mistakes)
    }

    static var shape: Shape { keys.shape }

    private static let keys = KeyTable<DevicePlan>(
        name: "the device",
        keys: [
            .required(
                "os", .words(systems.map(\.name)), "the system, which decides what goes on unseen",
                example: "ios-17", read: readSystem),
            .optional(
                "background-task", .onOff, "whether the app asks for time in the background"
            ) { node, device, mistakes in
                device.asksForBackgroundTime =
                    mistakes.isOn(node) ?? device.asksForBackgroundTime
            },
        ])

    /// Every system that can be named, by its name.
    private static let systems: [(name: String, system: OperatingSystem)] =
        OperatingSystem.iOSVersions.map { ("ios-\($0)", .iOS($0)) }
        + OperatingSystem.androidVersions.map { ("android-\($0)", .android($0)) }

    private static func readSystem(
        _ node: YAMLNode, device: inout DevicePlan, mistakes: inout Mistakes
    ) {
        let (iOS, android) = (OperatingSystem.iOSVersions, OperatingSystem.androidVersions)
        let expectation =
            "a system with its version, from ios-\(iOS.lowerBound) to ios-\(iOS.upperBound) or "
            + "from android-\(android.lowerBound) to android-\(android.upperBound)"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        guard let found = systems.first(where: { $0.name == words.text }) else {
            let nearest = Spelling.nearest(to: words.text, among: systems.map(\.name))
            mistakes.add(
                "there is no system “\(words.text)”", at: words.place, expected: expectation,
                suggestion: nearest.map { "“\($0)”" })
            return
        }
        device.system = found.system
    }
}

extension DevicePlan {
    var sentences: [String] {
        guard let system else { return [] }
        let time = asksForBackgroundTime ? "" : ", and asks for no time in the background"
        return ["The app is on a phone with \(system)\(time)."]
    }
}
