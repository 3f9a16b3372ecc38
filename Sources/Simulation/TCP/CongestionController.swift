import Quantities
import RunPlan

/// What every window-based controller answers and hears; how is its own file's business.
protocol CongestionControl {
    /// In bytes, without what loss recovery lends.
    var window: UInt64 { get }
    /// Below it the window grows by what is acknowledged.
    var threshold: UInt64 { get }

    /// So much new content was acknowledged while the window was what held the sender back.
    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample)
    /// A loss was found while acknowledgements keep coming, and so much was in flight.
    mutating func lossFound(flight: UInt64)
    /// The retransmission timer ran out, for the first time or again for what was outstanding then;
    /// so much may still be on the way.
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool)
    /// The SYN or its answer had to be sent again.
    mutating func handshakeTimedOut()
    /// Nothing was on the way for a while, which is over now; a window that nobody has confirmed
    /// for longer than a timeout is not believed (RFC 5681 §4.1).
    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64)
}

extension CongestionControl {
    /// The window after a pause, in the way of Linux: half of it for every timeout, but not less
    /// than a connection begins with.
    static func window(_ window: UInt64, after pause: UInt64, timeout: UInt64) -> UInt64 {
        let initial = 10 * UInt64(Packet.maximumPayload)
        var halved = window
        var left = pause
        while left > timeout, halved > initial {
            left -= timeout
            halved /= 2
        }
        return max(halved, min(initial, window))
    }
}

/// How much may be in flight: the controller that a run has chosen.
///
/// The controllers' states stand side by side, and only the chosen one is touched: the payload of
/// an enum would be copied out and in for every acknowledgement. What every packet asks for stands
/// in front.
struct CongestionController {
    private(set) var window: UInt64
    private var threshold: UInt64
    private let choice: TCPSettings.Controller
    private var newReno = NewReno()
    private var cubic = Cubic()
    private var bbr: BBR?

    /// What a controller may want to know of an acknowledgement; times in nanoseconds.
    struct Sample {
        var now: UInt64
        var roundTrip: UInt64
        var smoothed: UInt64
        var unacknowledged: UInt64
        var next: UInt64
    }

    /// What is random in a controller is drawn from a stream of its own for each endpoint.
    init(_ choice: TCPSettings.Controller, seed: UInt64 = 0, endpoint: Int32 = 0) {
        self.choice = choice
        window = 0
        threshold = 0
        switch choice {
        case .newReno: show(newReno)
        case .cubic: show(cubic)
        case .bbr:
            let chosen = BBR(random: RandomStream(seed: seed, name: "tcp/bbr/\(endpoint)"))
            bbr = chosen
            show(chosen)
        }
    }

    /// Whether it goes by rates: by what is delivered, and segments leave at a pace.
    var isRateBased: Bool { bbr != nil }

    /// How fast segments may leave; zero while that is not known.
    var pacingRate: FlowRate { bbr?.pacingRate ?? .zero }

    /// Whether less is sent than could be, to look at the path.
    var isHoldingBack: Bool { bbr?.isProbingRoundTrip ?? false }

    /// Whether the window grows by what is acknowledged, towards a threshold not yet reached.
    var isInSlowStart: Bool {
        @inline(__always) get { window < threshold }
    }

    @inline(__always)
    mutating func acknowledged(_ count: UInt64, _ sample: Sample) {
        switch choice {
        case .newReno:
            newReno.acknowledged(count, sample)
            show(newReno)
        case .cubic:
            cubic.acknowledged(count, sample)
            show(cubic)
        case .bbr: preconditionFailure("BBR goes by what is delivered")
        }
    }

    /// The same for a controller that goes by rates, with every acknowledgement.
    mutating func delivered(_ sample: DeliverySample) {
        bbr?.delivered(sample)
        showRates()
    }

    /// Something is to be sent after the application had been silent.
    mutating func resume(at now: UInt64) {
        bbr?.resume(at: now)
        showRates()
    }

    /// What was taken for a loss was none, and so it was before.
    mutating func undo(to before: CongestionController) {
        if isRateBased {
            bbr?.undo()
        } else if before.window > window {
            self = before
        }
    }

    mutating func lossFound(flight: UInt64) {
        switch choice {
        case .newReno:
            newReno.lossFound(flight: flight)
            show(newReno)
        case .cubic:
            cubic.lossFound(flight: flight)
            show(cubic)
        case .bbr:
            bbr?.lossFound()
            showRates()
        }
    }

    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        switch choice {
        case .newReno:
            newReno.timedOut(flight: flight, remaining: remaining, again: again)
            show(newReno)
        case .cubic:
            cubic.timedOut(flight: flight, remaining: remaining, again: again)
            show(cubic)
        case .bbr:
            bbr?.timedOut(remaining: remaining, again: again)
            showRates()
        }
    }

    mutating func handshakeTimedOut() {
        switch choice {
        case .newReno:
            newReno.handshakeTimedOut()
            show(newReno)
        case .cubic:
            cubic.handshakeTimedOut()
            show(cubic)
        case .bbr:
            bbr?.handshakeTimedOut()
            showRates()
        }
    }

    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        switch choice {
        case .newReno:
            newReno.resumed(at: now, after: pause, timeout: timeout)
            show(newReno)
        case .cubic:
            cubic.resumed(at: now, after: pause, timeout: timeout)
            show(cubic)
        case .bbr: preconditionFailure("BBR resumes by itself")
        }
    }

    @inline(__always)
    private mutating func show(_ controller: borrowing some CongestionControl) {
        window = controller.window
        threshold = controller.threshold
    }

    private mutating func show(_ controller: borrowing BBR) {
        window = controller.window
        threshold = controller.isPipeFull ? 0 : .max
    }

    private mutating func showRates() {
        if let bbr { show(bbr) }
    }
}
