import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

@Suite struct ZeroWindowTests {
    /// 8 Mbit/s, 10 ms each way, a buffer of 16 KiB, and a host that does not read for 1.5 s.
    @Test func `a closed window is asked about, and its opening is told`() throws {
        let hosts = slowReader()
        hosts.open(sending: [.content(.file(1, 20_000))])
        let reading = Instant(nanoseconds: 1_500_000_000)
        hosts.network.setTimer(slot: 0, at: reading)
        hosts.play(until: reading)
        let server = try #require(hosts.server)
        hosts.readsAtOnce = true
        hosts.read(server)
        hosts.play()
        #expect(hosts.received[server] == [.file(1, 20_000)])
        let trace = PacketTrace(hosts.packets.filter { $0.kind == .sent }).text
        let lines = trace.split(separator: "\n").drop { !$0.contains("14481+1448") }
        #expect(lines.joined(separator: "\n") == Self.golden)
    }

    @Test func `questions come at most a minute apart, and answers keep the connection`() throws {
        let hosts = slowReader()
        hosts.open(sending: [.content(.file(1, 20_000))])
        let hour = Instant(nanoseconds: 3_600_000_000_000)
        hosts.play(until: hour)
        let questions = hosts.packets.filter {
            $0.link == 0 && $0.kind == .sent && $0.payload == 0
                && $0.atNanoseconds > 1_000_000_000
        }
        let gaps = zip(questions, questions.dropFirst()).map { $1.atNanoseconds - $0.atNanoseconds }
        #expect(gaps == gaps.sorted())
        #expect(gaps.last == 60_000_000_000)
        // Eight to get to a minute, and then one a minute.
        #expect((64...70).contains(questions.count), "\(questions.count)")
        #expect(hosts.ends.isEmpty)

        let server = try #require(hosts.server)
        hosts.readsAtOnce = true
        hosts.read(server)
        hosts.play(until: Instant(nanoseconds: 2 * hour.nanoseconds))
        #expect(hosts.received[server] == [.file(1, 20_000)])
    }

    @Test func `a peer that no longer answers questions is given up`() throws {
        let hosts = TwoHosts(
            .plain("uplink"), .plain("downlink").losing(Array(12...200)), tcp: Self.settings)
        hosts.readsAtOnce = false
        hosts.open(sending: [.content(.file(1, 20_000))])
        hosts.play(until: Instant(nanoseconds: 7_200_000_000_000))
        let client = try #require(hosts.client)
        #expect(hosts.ends[client] == .timedOut)
    }

    @Test(arguments: TCPSettings.Controller.allCases)
    func `the news of an open window may be lost`(controller: TCPSettings.Controller) throws {
        for lost in UInt64(8)..<20 {
            let hosts = TwoHosts(
                .plain("uplink"), .plain("downlink").losing([lost]),
                tcp: TCPSettings(controller: controller, receiveWindow: Self.settings.receiveWindow)
            )
            hosts.readsAtOnce = false
            hosts.open(sending: [.content(.file(1, 60_000))])
            for second in UInt64(1)...5 {
                hosts.play(until: Instant(nanoseconds: second * 1_000_000_000))
                if let server = hosts.server { hosts.read(server) }
            }
            hosts.readsAtOnce = true
            hosts.play()
            let server = try #require(hosts.server)
            #expect(hosts.received[server] == [.file(1, 60_000)], "\(lost) lost")
        }
    }

    private static let settings = TCPSettings(
        controller: .newReno, receiveWindow: ByteCount(16 << 10))

    private func slowReader() -> TwoHosts {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"), tcp: Self.settings)
        hosts.readsAtOnce = false
        return hosts
    }

    /// Eleven segments fill the buffer but for 456 bytes, of which 384 are offered, as windows are
    /// told in units of 128. They go when nothing has changed for a timeout (227 ms after the
    /// answer came). A question with an old number follows a timeout after the answer to that (226
    /// ms), and another twice as long after it. What is read at 1.5 s is told at once.
    private static let golden = """
           41.724  >      14481+1448 ack 1
           42.172  <      1 ack 11585
           43.672  <      1 ack 13033
           45.172  <      1 ack 14481
           53.224  <      1 ack 15929
          289.919  >      15929+384 ack 1
          300.355  <      1 ack 16313
          536.280  >      16312 ack 1
          546.332  <      1 ack 16313
          988.028  >      16312 ack 1
          998.080  <      1 ack 16313
         1500.000  <      1 ack 16313
         1510.052  >      16313+1448 ack 1
         1510.052  >      17761+1448 ack 1
         1510.052  >  FIN 19209+792 ack 1
         1521.552  <      1 ack 17761
         1523.052  <      1 ack 19209
         1523.896  <      1 ack 20002
         1523.896  <  FIN 1 ack 20002
         1534.000  >      20002 ack 2
        """
}
