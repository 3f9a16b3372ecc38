import Device
import Quantities
import Testing

/// An Android phone that lies untouched gives its apps the network now and then.
@Suite struct DozeTests {
    @Test func `windows come after longer and longer sleep, and the first is the shortest`() {
        var phone = Phone()
        phone.happens(.doze(true), at: 0)
        phone.sleep(until: 25 * 3_600)
        // Hours: 1 asleep, 2, 4, 6 and again 6; minutes: 5, then 10.
        let windows = [
            (3_600, 3_900), (11_100, 11_700), (26_100, 26_700), (48_300, 48_900),
            (70_500, 71_100),
        ]
        let expected =
            ["0 s: down, none"]
            + windows.flatMap { ["\($0.0) s: up, wifi", "\($0.1) s: down, none"] }
        #expect(phone.lines == expected)
    }

    @Test func `connections do not end, and nothing lingers while the phone sleeps`() {
        var phone = Phone()
        phone.happens(.doze(true), at: 0)
        phone.sleep(until: 3_700)
        #expect(phone.ended.isEmpty)
    }

    @Test func `who picks the phone up has the network at once`() {
        var phone = Phone()
        phone.happens(.doze(true), at: 0)
        phone.happens(.doze(false), at: 60)
        #expect(phone.lines == ["0 s: down, none", "60 s: up, wifi"])
        #expect(phone.deadline == nil)
    }

    @Test(arguments: [[DeviceNetwork.Input.heals], [.power(on: false), .power(on: true)]])
    func `doze is over when all is well again, and when the phone was off`(
        inputs: [DeviceNetwork.Input]
    ) {
        var phone = Phone()
        phone.happens(.doze(true), at: 0)
        for input in inputs { phone.happens(input, at: 60) }
        phone.sleep(until: 10_000)
        #expect(phone.lines == ["0 s: down, none", "60 s: up, wifi"])
    }

    @Test func `a network that is lost in the meantime ends its connections`() {
        var phone = Phone()
        phone.happens(.doze(true), at: 0)
        phone.happens(.lost(.wifi), at: 60)
        #expect(phone.ended == [0])
        phone.sleep(until: 3_650)
        #expect(phone.lines == ["0 s: down, none"])
    }

    @Test func `who dozes already does not begin anew`() {
        var phone = Phone()
        phone.happens(.doze(true), at: 0)
        phone.happens(.doze(true), at: 1_800)
        phone.sleep(until: 3_650)
        #expect(phone.lines.last == "3600 s: up, wifi")
    }

    /// A phone with Wi-Fi alone: whether that carries anything, and what apps are told.
    private struct Phone {
        var network = DeviceNetwork([.wifi], DeviceNetwork.Settings(gap: .zero))
        var lines: [String] = []
        var ended: [Int] = []
        var deadline: Instant?

        init() {
            happens(.begins, at: 0)
            lines = []
        }

        mutating func happens(_ input: DeviceNetwork.Input, at second: Int64) {
            let now = Instant.start + .seconds(second)
            var outputs: [DeviceNetwork.Output] = []
            deadline = network.handle(input, at: now, into: &outputs)
            var link: String?
            var told: String?
            for output in outputs {
                switch output {
                case .take(_, let down, _): link = down ? "down" : "up"
                case .tell(let path): told = path.kind?.rawValue ?? "none"
                case .endConnections(let place): ended.append(place)
                case .cutWays, .portal: break
                }
            }
            guard let link, let told else { return }
            lines.append("\(second) s: \(link), \(told)")
        }

        mutating func sleep(until second: Int64) {
            while let due = deadline, due <= .start + .seconds(second) {
                happens(.wake, at: due.sinceStart.nanoseconds / 1_000_000_000)
            }
        }
    }
}
