/// The plan of the house: which target may lean on which. The same list as in the design, top to
/// bottom; a target imports only what stands under it, and an arrow opens all that is reachable
/// along it.
enum Floors {
    struct Room: Sendable {
        var name: String
        var arrows: [String]
    }

    static let rooms: [Room] = [
        Room(name: "transferlab", arrows: ["Runs"]),
        Room(name: "Runs", arrows: everythingBelowRuns),
        Room(name: "Scenario", arrows: ["RunPlan", "Checks", "CYAML"]),
        Room(name: "Reports", arrows: ["Checks", "RunLog"]),
        Room(
            name: "Simulation",
            arrows: ["RunPlan", "Recording", "QueueStorage", "Capture", "CProcessor"]),
        Room(
            name: "Live",
            arrows: ["RunPlan", "Recording", "TransferHost", "Capture", "CLinux", "COpenSSL"]),
        Room(
            name: "RunPlan",
            arrows: ["TransferClient", "DocrootServer", "LinkModels", "Device", "RunLog"]),
        Room(
            name: "Recording",
            arrows: ["TransferClient", "DocrootServer", "Device", "LinkModels", "RunLog"]),
        Room(name: "Capture", arrows: ["RunLog", "CPcap"]),
        Room(
            name: "TransferHost",
            arrows: ["TransferClient", "QueueStorage", "CLinux", "COpenSSL"]),
        Room(name: "QueueStorage", arrows: ["TransferEngine", "CSQLite"]),
        Room(name: "TransferClient", arrows: ["TransferEngine"]),
        Room(name: "TransferEngine", arrows: ["Protocols", "Facts"]),
        Room(name: "DocrootServer", arrows: ["Protocols", "Facts"]),
        Room(name: "Checks", arrows: ["RunLog"]),
        Room(name: "Protocols", arrows: ["Content"]),
        Room(name: "LinkModels", arrows: ["Quantities"]),
        Room(name: "Device", arrows: ["Facts"]),
        Room(name: "RunLog", arrows: ["Facts"]),
        Room(name: "Facts", arrows: ["Content"]),
        Room(name: "Content", arrows: ["Quantities"]),
        Room(name: "Quantities", arrows: []),
    ]

    /// System libraries, each with the rooms that may import it.
    static let systemLibraries: [String: [String]] = [
        "CPcap": ["Capture"], "CSQLite": ["QueueStorage"], "CYAML": ["Scenario"],
        "CLinux": ["Live", "TransferHost"], "COpenSSL": ["Live", "TransferHost"],
        "CProcessor": ["Simulation"],
    ]

    /// Rooms in which the same input has to give the same output everywhere and always.
    static let pure: Set<String> = [
        "Quantities", "Content", "Facts", "LinkModels", "Device", "Protocols", "DocrootServer",
        "TransferEngine", "TransferClient", "RunLog", "Checks", "RunPlan", "Recording",
        "Simulation",
    ]

    private static let everythingBelowRuns = [
        "Scenario", "Reports", "Simulation", "Live", "RunPlan", "Recording", "Capture",
        "QueueStorage", "TransferClient", "TransferEngine", "DocrootServer", "Checks", "Protocols",
        "LinkModels", "Device", "RunLog", "Content", "Quantities",
    ]

    static func room(named name: String) -> Room? { rooms.first { $0.name == name } }

    /// Everything that a room may know, along all arrows.
    static func reach(of name: String) -> Set<String> {
        let arrows = room(named: name)?.arrows ?? []
        return arrows.reduce(into: Set(arrows)) { $0.formUnion(reach(of: $1)) }
    }
}
