import Quantities

/// A phone's operating system. It decides how long an app may run in the background.
package enum OperatingSystem: Hashable, Sendable {
    case iOS(Int)
    case android(Int)

    package static let iOSVersions = 4...18
    package static let androidVersions = 5...16

    /// The time that an app may hold tasks in the background (B14); `nil` means as long as its
    /// process lives.
    var taskBudget: TimeSpan? {
        switch self {
        case .iOS(...6): .seconds(600)
        case .iOS(7...12): .seconds(180)
        case .iOS: .seconds(30)
        case .android: nil
        }
    }

    /// The time that an app without a task runs in the background (K4); `nil` means as long as its
    /// process lives.
    var grace: TimeSpan? {
        switch self {
        case .iOS: .seconds(5)
        case .android: nil
        }
    }

    /// The time that an app has for a fetch in the background; `nil` if there is no such thing.
    var fetchTime: TimeSpan? {
        switch self {
        case .iOS(7...): .seconds(30)
        case .iOS, .android: nil
        }
    }

    /// The time from the expiry handler to the deadline.
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
