import Device
import Quantities
import Testing

/// A phone on a bench: time passes as it asks for it, and what it wanted done is kept.
struct PhoneBench {
    private(set) var device: Device
    private(set) var now = Instant.start
    /// What it wanted done, each with its second.
    private(set) var done: [Done] = []
    private var deadline: Instant?

    struct Done: Hashable {
        var at: Instant
        var output: DeviceOutput
    }

    init(
        _ system: OperatingSystem?, apps: Int = 1, startTime: TimeSpan = Device.usualStartTime
    ) {
        device = Device(system, apps: apps, startTime: startTime)
        for app in (0..<apps).reversed() { take(.happens(.appOpened(app))) }
        done = []
    }

    mutating func take(_ input: DeviceInput) {
        var outputs: [DeviceOutput] = []
        deadline = device.handle(input, at: now, into: &outputs)
        if let deadline { #expect(deadline > now, "what is due is done at once") }
        done += outputs.map { Done(at: now, output: $0) }
    }

    mutating func happens(_ event: DeviceEvent, at seconds: Int64) {
        pass(to: seconds)
        take(.happens(event))
    }

    mutating func pass(to seconds: Int64) {
        let end = Instant.start + .seconds(seconds)
        while let deadline, deadline <= end {
            now = deadline
            take(.wake)
        }
        now = end
    }

    /// What comes of it, whatever is due at the same moment.
    mutating func outputs(of input: DeviceInput, at seconds: Int64) -> [DeviceOutput] {
        let known = done.count
        now = .start + .seconds(seconds)
        take(input)
        return done[known...].map(\.output)
    }

    mutating func expect(
        _ outputs: [DeviceOutput], of input: DeviceInput, at seconds: Int64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let seen = self.outputs(of: input, at: seconds)
        #expect(seen == outputs, "\(input)", sourceLocation: sourceLocation)
    }

    /// With what is due before it.
    mutating func expect(
        _ outputs: [DeviceOutput], when event: DeviceEvent, at seconds: Int64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        pass(to: seconds)
        expect(outputs, of: .happens(event), at: seconds, sourceLocation: sourceLocation)
    }

    /// The states that an app entered, with their seconds.
    func states(of app: Int = 0) -> [String] {
        done.compactMap { entry in
            let second = entry.at.nanoseconds / 1_000_000_000
            switch entry.output {
            case .enter(app, let state, _): return "\(second) \(state)"
            case .end(app, let death): return "\(second) \(death.map { "\($0)" } ?? "killed")"
            case .expire(app, _, _): return "\(second) expires"
            case .launch(app, let inBackground):
                return "\(second) \(inBackground ? "started" : "launched")"
            default: return nil
            }
        }
    }
}
