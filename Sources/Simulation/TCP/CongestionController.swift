import LinkModels
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
/// in front. BBR's is large, and so lies elsewhere: a thousand flows shall fit near the processor.
struct CongestionController: ~Copyable, Clonable {
    private let choice: TCPSettings.Controller
    private var bbr: UnsafeMutablePointer<BBR>?
    private(set) var memory = Memory()

    /// All that a controller knows which goes by windows: it comes back when a loss was none.
    struct Memory {
        fileprivate var window: UInt64 = 0
        fileprivate var threshold: UInt64 = 0
        fileprivate var cubic = Cubic()
        fileprivate var newReno = NewReno()

        @inline(__always)
        fileprivate mutating func show(_ controller: borrowing some CongestionControl) {
            window = controller.window
            threshold = controller.threshold
        }
    }

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
        switch choice {
        case .newReno:
            bbr = nil
            memory.show(memory.newReno)
        case .cubic:
            bbr = nil
            memory.show(memory.cubic)
        case .bbr:
            let chosen = UnsafeMutablePointer<BBR>.allocate(capacity: 1)
            chosen.initialize(
                to: BBR(random: RandomStream(seed: seed, name: "tcp/bbr/\(endpoint)")))
            bbr = chosen
            showRates()
        }
    }

    deinit {
        bbr?.deinitialize(count: 1)
        bbr?.deallocate()
    }

    mutating func unshare() {
        bbr = bbr?.cloned(capacity: 1)
    }

    var window: UInt64 {
        @inline(__always) get { memory.window }
    }

    /// Whether it goes by rates: by what is delivered, and segments leave at a pace.
    var isRateBased: Bool { bbr != nil }

    /// How fast segments may leave; zero while that is not known.
    var pacingRate: FlowRate { bbr?.pointee.pacingRate ?? .zero }

    /// Whether less is sent than could be, to look at the path.
    var isHoldingBack: Bool { bbr?.pointee.isProbingRoundTrip ?? false }

    /// Whether the window grows by what is acknowledged, towards a threshold not yet reached.
    var isInSlowStart: Bool {
        @inline(__always) get { memory.window < memory.threshold }
    }

    @inline(__always)
    mutating func acknowledged(_ count: UInt64, _ sample: Sample) {
        switch choice {
        case .newReno:
            memory.newReno.acknowledged(count, sample)
            memory.show(memory.newReno)
        case .cubic:
            memory.cubic.acknowledged(count, sample)
            memory.show(memory.cubic)
        case .bbr: preconditionFailure("BBR goes by what is delivered")
        }
    }

    /// The same for a controller that goes by rates, with every acknowledgement.
    mutating func delivered(_ sample: DeliverySample) {
        bbr?.pointee.delivered(sample)
        showRates()
    }

    /// Something is to be sent after the application had been silent.
    mutating func resume(at now: UInt64) {
        bbr?.pointee.resume(at: now)
        showRates()
    }

    /// What was taken for a loss was none, and so it was before.
    mutating func undo(to before: Memory) {
        if isRateBased {
            bbr?.pointee.undo()
        } else if before.window > window {
            memory = before
        }
    }

    mutating func lossFound(flight: UInt64) {
        switch choice {
        case .newReno:
            memory.newReno.lossFound(flight: flight)
            memory.show(memory.newReno)
        case .cubic:
            memory.cubic.lossFound(flight: flight)
            memory.show(memory.cubic)
        case .bbr:
            bbr?.pointee.lossFound()
            showRates()
        }
    }

    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        switch choice {
        case .newReno:
            memory.newReno.timedOut(flight: flight, remaining: remaining, again: again)
            memory.show(memory.newReno)
        case .cubic:
            memory.cubic.timedOut(flight: flight, remaining: remaining, again: again)
            memory.show(memory.cubic)
        case .bbr:
            bbr?.pointee.timedOut(remaining: remaining, again: again)
            showRates()
        }
    }

    mutating func handshakeTimedOut() {
        switch choice {
        case .newReno:
            memory.newReno.handshakeTimedOut()
            memory.show(memory.newReno)
        case .cubic:
            memory.cubic.handshakeTimedOut()
            memory.show(memory.cubic)
        case .bbr:
            bbr?.pointee.handshakeTimedOut()
            showRates()
        }
    }

    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        switch choice {
        case .newReno:
            memory.newReno.resumed(at: now, after: pause, timeout: timeout)
            memory.show(memory.newReno)
        case .cubic:
            memory.cubic.resumed(at: now, after: pause, timeout: timeout)
            memory.show(memory.cubic)
        case .bbr: preconditionFailure("BBR resumes by itself")
        }
    }

    private mutating func showRates() {
        guard let bbr else { return }
        memory.window = bbr.pointee.window
        memory.threshold = bbr.pointee.isPipeFull ? 0 : .max
    }
}

extension TCPSettings {
    /// Who decides how much the end of a host may send.
    func controller(of host: NetworkHost) -> Controller {
        switch host {
        case .client: clientController ?? controller
        case .server, .portal: serverController ?? controller
        }
    }
}
