/// The phone and the life of the app on it.
package enum DeviceFact: Hashable, Sendable, Codable {
    /// The app's process began; launches are counted from 1.
    case appLaunched(launch: UInt32)
    /// The app's process is gone, without a word of warning to it.
    case appKilled(launch: UInt32)
    /// The app's process ended although nothing killed it; only a live one can.
    case appCrashed(launch: UInt32, how: String)

    package var sentence: String {
        switch self {
        case .appLaunched(let launch):
            launch == 1 ? "the app is launched" : "launch \(launch) of the app"
        case .appKilled: "the app is killed"
        case .appCrashed(_, let how): "the app's process ended by itself: \(how)"
        }
    }
}
