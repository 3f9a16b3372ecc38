import LinkModels
import Quantities
import RunLog
import RunPlan

/// A controller with a window.
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
    /// Handles another size of full segments. Windows keep their number of segments, as in Linux.
    mutating func resize(to size: UInt64)
}

extension CongestionControl {
    /// Halves a window for every timeout of a pause, as Linux does, but not below the initial
    /// window.
    static func window(
        _ window: UInt64, after pause: UInt64, timeout: UInt64, initial: UInt64
    ) -> UInt64 {
        var halved = window
        var left = pause
        while left > timeout, halved > initial {
            left -= timeout
            halved /= 2
        }
        return max(halved, min(initial, window))
    }

    /// Returns a window with the same number of segments, at least one, of another size.
    static func resized(_ window: UInt64, from segment: UInt64, to size: UInt64) -> UInt64 {
        window == .max ? .max : max(window / segment, 1) * size
    }
}

/// What may change a window besides acknowledgements.
enum CongestionEvent {
    case loss(flight: UInt64)
    case timeout(flight: UInt64, remaining: UInt64, again: Bool)
    case handshakeTimeout
    case pause(until: UInt64, length: UInt64, timeout: UInt64)
    case otherSegments(size: UInt64)
}

extension CongestionControl {
    mutating func react(to event: CongestionEvent) {
        switch event {
        case .loss(let flight): lossFound(flight: flight)
        case .timeout(let flight, let remaining, let again):
            timedOut(flight: flight, remaining: remaining, again: again)
        case .handshakeTimeout: handshakeTimedOut()
        case .pause(let end, let length, let timeout):
            resumed(at: end, after: length, timeout: timeout)
        case .otherSegments(let size): resize(to: size)
        }
    }
}

/// The congestion controller of an endpoint.
///
/// All states are stored side by side and only one is used, because an enum's payload would be
/// copied out and in for every acknowledgement. Fields used for every packet come first. Other
/// states are allocated separately, so that a thousand flows fit into the cache.
struct CongestionController: ~Copyable, Clonable {
    private let choice: TCPSettings.Controller
    /// Whether the controller goes by what is delivered, and sets a rate.
    let isRateBased: Bool
    private var bbr: UnsafeMutablePointer<BBR>?
    private(set) var memory: Memory
    private var ledbat: UnsafeMutablePointer<LEDBAT>?
    private var scalable: UnsafeMutablePointer<Scalable>?
    private var bbr3: UnsafeMutablePointer<BBRv3>?

    /// State of the window-based controllers, which a false loss restores.
    struct Memory {
        fileprivate var window: UInt64 = 0
        fileprivate var threshold: UInt64 = 0
        fileprivate var cubic: Cubic
        fileprivate var newReno: NewReno

        fileprivate init(_ settings: TCPSettings, segment: UInt64) {
            cubic = Cubic(settings, segment: segment)
            newReno = NewReno(settings, segment: segment)
        }

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
        _ choice: TCPSettings.Controller, _ settings: TCPSettings = TCPSettings(),
        segment: UInt64 = Packet.usualSegment, family: AddressFamily = .ipv4, seed: UInt64 = 0,
        endpoint: Int32 = 0
    ) {
        self.choice = choice
        isRateBased = choice == .bbr || choice == .bbr3
        memory = Memory(settings, segment: segment)
        switch choice {
        case .newReno: memory.show(memory.newReno)
        case .cubic: memory.show(memory.cubic)
        case .bbr:
            let random = RandomStream(seed: seed, name: "tcp/bbr/\(endpoint)")
            bbr = Self.allocated(
                BBR(settings, segment: segment, family: family, random: random))
            showAllocated()
        case .bbr3:
            let random = RandomStream(seed: seed, name: "tcp/bbr3/\(endpoint)")
            bbr3 = Self.allocated(
                BBRv3(settings, segment: segment, family: family, random: random))
            showAllocated()
        case .ledbat:
            let chosen = Self.allocated(LEDBAT(segment: segment))
            ledbat = chosen
            memory.show(chosen.pointee)
        case .dctcp, .prague:
            let chosen = Self.allocated(
                Scalable(settings, segment: segment, isPrague: choice == .prague))
            scalable = chosen
            memory.show(chosen.pointee)
        }
    }

    private static func allocated<State>(_ state: State) -> UnsafeMutablePointer<State> {
        let place = UnsafeMutablePointer<State>.allocate(capacity: 1)
        place.initialize(to: state)
        return place
    }

    deinit {
        bbr?.deinitialize(count: 1)
        bbr?.deallocate()
        ledbat?.deallocate()
        scalable?.deallocate()
        bbr3?.deinitialize(count: 1)
        bbr3?.deallocate()
    }

    mutating func unshare() {
        bbr = bbr?.cloned(capacity: 1)
        ledbat = ledbat?.cloned(capacity: 1)
        scalable = scalable?.cloned(capacity: 1)
        bbr3 = bbr3?.cloned(capacity: 1)
    }

    var window: UInt64 {
        @inline(__always) get { memory.window }
    }

    /// Window at which slow start ends; zero for a rate-based controller that has found its rate.
    var threshold: UInt64 { memory.threshold }

    /// Rate at which segments are paced; zero while it is unknown.
    var pacingRate: FlowRate {
        bbr?.pointee.pacingRate ?? bbr3?.pointee.pacingRate ?? .zero
    }

    /// Whether the controller sends less than possible, to measure the path.
    var isHoldingBack: Bool {
        bbr?.pointee.isProbingRoundTrip ?? bbr3?.pointee.isProbingRoundTrip ?? false
    }

    var isInSlowStart: Bool {
        @inline(__always) get { memory.window < memory.threshold }
    }

    /// Whether the controller measures every round trip, even while its window is not used.
    var isMeasuring: Bool {
        @inline(__always) get { isInSlowStart || choice == .ledbat }
    }

    /// Whether the controller needs the round trip of the last segment that an acknowledgement
    /// covers, which a delayed acknowledgement does not prolong.
    var measuresExactly: Bool { isRateBased || ledbat != nil }

    /// Notes an acknowledgement of new data: CUBIC ends slow start by itself, and LEDBAT++ goes by
    /// the delay.
    mutating func measured(_ sample: Sample) {
        switch choice {
        case .cubic:
            memory.cubic.measured(sample)
            memory.show(memory.cubic)
        case .ledbat: ledbat?.pointee.measured(sample)
        case .newReno, .bbr, .bbr3, .dctcp, .prague: break
        }
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
        case .bbr: bbr?.pointee.acknowledged(count, sample)
        case .bbr3: bbr3?.pointee.acknowledged(count, sample)
        case .ledbat:
            ledbat?.pointee.acknowledged(count, sample)
            showAllocated()
        case .dctcp, .prague:
            scalable?.pointee.acknowledged(count, sample)
            showAllocated()
        }
    }

    /// Whether the controller goes by the number of marks.
    var countsMarks: Bool { scalable != nil }

    /// Whether the controller spreads its window over the round trip by itself, and packets say
    /// that it is scalable.
    var isPrague: Bool { choice == .prague }

    /// Tells a scalable controller about an acknowledgement.
    mutating func counted(_ delivered: UInt64, marked: UInt64, _ sample: Sample) {
        scalable?.pointee.counted(delivered, marked: marked, sample)
        showAllocated()
    }

    /// Tells a rate-based controller about an acknowledgement.
    mutating func delivered(_ sample: DeliverySample) {
        bbr?.pointee.delivered(sample)
        bbr3?.pointee.delivered(sample)
        showAllocated()
    }

    /// Tells a rate-based controller that packets were marked. As in Linux, version 1 of BBR does
    /// not slow down.
    mutating func marked() { bbr3?.pointee.marked() }

    /// Tells a rate-based controller that sending resumes after the application was idle.
    mutating func resume(at now: UInt64) {
        bbr?.pointee.resume(at: now)
        bbr3?.pointee.resume(at: now)
        showAllocated()
    }

    /// Restores the state before a false loss.
    mutating func undo(to before: Memory) {
        switch choice {
        case .newReno, .cubic: if before.window > window { memory = before }
        case .dctcp, .prague: scalable?.pointee.undo()
        case .bbr: bbr?.pointee.undo()
        case .bbr3: bbr3?.pointee.undo()
        case .ledbat: ledbat?.pointee.undo()
        }
        showAllocated()
    }

    mutating func react(to event: CongestionEvent) {
        switch choice {
        case .newReno:
            memory.newReno.react(to: event)
            memory.show(memory.newReno)
        case .cubic:
            memory.cubic.react(to: event)
            memory.show(memory.cubic)
        case .bbr: bbr?.pointee.react(to: event)
        case .bbr3: bbr3?.pointee.react(to: event)
        case .ledbat: ledbat?.pointee.react(to: event)
        case .dctcp, .prague: scalable?.pointee.react(to: event)
        }
        showAllocated()
    }

    /// Shows the window of a state that is allocated separately.
    private mutating func showAllocated() {
        if let bbr { memory.show(bbr.pointee) }
        if let bbr3 { memory.show(bbr3.pointee) }
        if let ledbat { memory.show(ledbat.pointee) }
        if let scalable { memory.show(scalable.pointee) }
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

    /// Returns how a host finds out that large packets vanish.
    func blackHoles(of host: NetworkHost) -> BlackHoleDetection {
        switch host {
        case .client: clientBlackHoles ?? blackHoles
        case .server, .portal: serverBlackHoles ?? blackHoles
        }
    }
}
