import RunPlan

/// How much may be in flight: the catalogue of controllers, and the small interface of each.
///
/// An enum with a `switch`, as for link stages: the quickest form for what is chosen at run time.
enum CongestionController {
    case newReno(NewReno)
    case cubic(Cubic)

    /// What a controller may want to know of an acknowledgement; times in nanoseconds.
    struct Sample {
        var now: UInt64
        var roundTrip: UInt64
        var smoothed: UInt64
        var unacknowledged: UInt64
        var next: UInt64
    }

    init(_ choice: TCPSettings.Controller) {
        switch choice {
        case .newReno: self = .newReno(NewReno())
        case .cubic: self = .cubic(Cubic())
        }
    }

    /// In bytes, without what loss recovery lends.
    var window: UInt64 {
        @inline(__always) get {
            switch self {
            case .newReno(let controller): controller.window
            case .cubic(let controller): controller.window
            }
        }
    }

    /// Whether the window grows by what is acknowledged, towards a threshold not yet reached.
    var isInSlowStart: Bool {
        switch self {
        case .newReno(let controller): controller.window < controller.threshold
        case .cubic(let controller): controller.window < controller.threshold
        }
    }

    @inline(__always)
    mutating func acknowledged(_ count: UInt64, _ sample: Sample) {
        switch self {
        case .newReno(var controller):
            controller.acknowledged(count)
            self = .newReno(controller)
        case .cubic(var controller):
            controller.acknowledged(count, sample)
            self = .cubic(controller)
        }
    }

    mutating func lossFound(flight: UInt64) {
        switch self {
        case .newReno(var controller):
            controller.lossFound(flight: flight)
            self = .newReno(controller)
        case .cubic(var controller):
            controller.lossFound(flight: flight)
            self = .cubic(controller)
        }
    }

    mutating func handshakeTimedOut() {
        switch self {
        case .newReno(var controller):
            controller.handshakeTimedOut()
            self = .newReno(controller)
        case .cubic(var controller):
            controller.handshakeTimedOut()
            self = .cubic(controller)
        }
    }

    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        switch self {
        case .newReno(var controller):
            controller.timedOut(flight: flight, remaining: remaining, again: again)
            self = .newReno(controller)
        case .cubic(var controller):
            controller.timedOut(flight: flight, remaining: remaining, again: again)
            self = .cubic(controller)
        }
    }
}
