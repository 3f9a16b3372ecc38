import LinkModels
import Quantities
import RunPlan

/// A window-based controller.
protocol CongestionControl {
    /// Congestion window in bytes, without what loss recovery adds.
    var window: UInt64 { get }
    /// Window at which slow start ends.
    var threshold: UInt64 { get }

    /// Handles an acknowledgement of new content while the window limits the sender.
    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample)
    /// Handles a loss while acknowledgements keep coming, with `flight` bytes outstanding.
    mutating func lossFound(flight: UInt64)
    /// Handles a retransmission timeout, `again` if it is for the same data; `remaining` bytes may
    /// be on the way.
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool)
    /// Handles a retransmission of the SYN or its answer.
    mutating func handshakeTimedOut()
    /// Handles new content after a pause. After more than a timeout, the window is no longer
    /// trusted (RFC 5681 §4.1).
    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64)
}

extension CongestionControl {
    /// Halves a window for every timeout of a pause, as Linux does, but not below the initial
    /// window.
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

/// The congestion controller of an endpoint.
///
/// All states are stored side by side and only one is used, because an enum's payload would be
/// copied out and in for every acknowledgement. Fields used for every packet come first. BBR's
/// large state is allocated separately, so that a thousand flows fit into the cache.
struct CongestionController: ~Copyable, Clonable {
    private let choice: TCPSettings.Controller
    private var bbr: UnsafeMutablePointer<BBR>?
    private(set) var memory = Memory()

    /// State of the window-based controllers, which a false loss restores.
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

    /// Figures about an acknowledgement; times in nanoseconds.
    struct Sample {
        var now: UInt64
        var roundTrip: UInt64
        var smoothed: UInt64
        var unacknowledged: UInt64
        var next: UInt64
    }

    /// Creates a controller. Each endpoint has its own random stream.
    init(
        _ choice: TCPSettings.Controller, slowStart: TCPSettings.SlowStart = .hystart,
        seed: UInt64 = 0, endpoint: Int32 = 0
    ) {
        self.choice = choice
        switch choice {
        case .newReno:
            bbr = nil
            memory.show(memory.newReno)
        case .cubic:
            bbr = nil
            memory.cubic = Cubic(slowStart: slowStart)
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

    /// Window at which slow start ends; zero for a rate-based controller that has found its rate.
    var threshold: UInt64 { memory.threshold }

    /// Whether segments are paced at a rate that the controller sets.
    var isRateBased: Bool { bbr != nil }

    /// Rate at which segments are paced; zero while it is unknown.
    var pacingRate: FlowRate { bbr?.pointee.pacingRate ?? .zero }

    /// Whether the controller sends less than possible, to measure the path.
    var isHoldingBack: Bool { bbr?.pointee.isProbingRoundTrip ?? false }

    var isInSlowStart: Bool {
        @inline(__always) get { memory.window < memory.threshold }
    }

    /// Notes an acknowledgement of new data in slow start. CUBIC ends slow start by itself.
    mutating func measured(_ sample: Sample) {
        guard choice == .cubic else { return }
        memory.cubic.measured(sample)
        memory.show(memory.cubic)
    }

    /// Whether something has ended the first slow start.
    var hasLeftSlowStart: Bool { memory.threshold != .max }

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

    /// Tells a rate-based controller about an acknowledgement.
    mutating func delivered(_ sample: DeliverySample) {
        bbr?.pointee.delivered(sample)
        showRates()
    }

    /// Tells a rate-based controller that sending resumes after the application was idle.
    mutating func resume(at now: UInt64) {
        bbr?.pointee.resume(at: now)
        showRates()
    }

    /// Restores the state before a false loss.
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
    /// Returns the congestion controller of a host.
    func controller(of host: NetworkHost) -> Controller {
        switch host {
        case .client: clientController ?? controller
        case .server, .portal: serverController ?? controller
        }
    }
}
