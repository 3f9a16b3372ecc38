import Quantities

/// What a phone runs, as far as it decides how long an app may go on unseen.
package enum OperatingSystem: Hashable, Sendable {
    case iOS(Int)
    case android(Int)

    package static let iOSVersions = 4...18
    package static let androidVersions = 5...16

    /// How long the tasks of an app last in the background (B14); `nil`: as long as its process.
    var taskBudget: TimeSpan? {
        switch self {
        case .iOS(...6): .seconds(600)
        case .iOS(7...12): .seconds(180)
        case .iOS: .seconds(30)
        case .android: nil
        }
    }

    /// How long an app without a task goes on in the background; `nil`: as long as its process
    /// lives, other apps in front or not (K4).
    var grace: TimeSpan? {
        switch self {
        case .iOS: .seconds(5)
        case .android: nil
        }
    }

    /// The expiry handler runs so long before the deadline.
    static let notice = TimeSpan.seconds(5)
}

extension OperatingSystem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .iOS(let version): "iOS \(version)"
        case .android(let version): "Android \(version)"
        }
    }
}
