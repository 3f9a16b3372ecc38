// Bulk TCP over one link in ns-3: the peer that `./lab bench --peer` measures beside us.
//
// The same link and the same flow as the benchmark's case bulk/no-loss: 100 Mbit/s, 20 ms each way,
// a drop-tail queue of one bandwidth-delay product (333 packets) and nothing in front of it, CUBIC
// with SACK, time stamps and delayed acknowledgements, segments of 1448 bytes, buffers that never
// hold the flow back. Nothing is traced but the count of what arrives. It is as fast as we know how
// to make it: tell us of a faster way.
//
// It needs libns3-dev, and is built by ./lab with
//     g++ -O2 -std=c++17 ns3-bulk.cc -lns3-applications -lns3-point-to-point -lns3-internet …
// and prints one line of JSON: what was simulated, and what it cost from the building of the network
// to the end of the last event.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

using namespace ns3;

namespace {

constexpr uint32_t kSegmentBytes = 1448;
constexpr uint16_t kPort = 80;

uint64_t deliveredPackets = 0;

// Whatever is larger than an acknowledgement can be carries data.
void CountDelivered(Ptr<const Packet> packet) {
    if (packet->GetSize() > 200) ++deliveredPackets;
}

double UserSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6;
}

uint64_t PeakBytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    uint64_t kibibytes = 0;
    while (status >> word) {
        if (word == "VmHWM:") status >> kibibytes;
    }
    return kibibytes * 1024;
}

void SetDefaults(uint32_t queuePackets) {
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(kSegmentBytes));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(6'000'000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(6'000'000));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault(
        "ns3::DropTailQueue<Packet>::MaxSize",
        QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, queuePackets)));
}

}  // namespace

int main(int argc, char* argv[]) {
    double seconds = 30;
    double lossPercent = 0;
    uint64_t bitsPerSecond = 100'000'000;
    uint32_t delayMilliseconds = 20;
    CommandLine command(__FILE__);
    command.AddValue("seconds", "simulated seconds", seconds);
    command.AddValue("loss", "percent of the data packets that get lost", lossPercent);
    command.Parse(argc, argv);

    const auto began = std::chrono::steady_clock::now();
    const double userBefore = UserSeconds();

    const uint64_t productBytes = bitsPerSecond / 8 * 2 * delayMilliseconds / 1000;
    SetDefaults(static_cast<uint32_t>(productBytes / 1500));

    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(bitsPerSecond)));
    link.SetChannelAttribute("Delay", TimeValue(MilliSeconds(delayMilliseconds)));
    NetDeviceContainer devices = link.Install(nodes);
    if (lossPercent > 0) {
        Ptr<RateErrorModel> loss = CreateObject<RateErrorModel>();
        loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        loss->SetRate(lossPercent / 100);
        devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    }
    devices.Get(1)->TraceConnectWithoutContext("MacRx", MakeCallback(&CountDelivered));

    InternetStackHelper stack;
    stack.Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
    // A queue discipline would stand before the link's own queue, and drop in its place.
    TrafficControlHelper().Uninstall(devices);

    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), kPort));
    ApplicationContainer server = sink.Install(nodes.Get(1));
    BulkSendHelper source(
        "ns3::TcpSocketFactory", InetSocketAddress(interfaces.GetAddress(1), kPort));
    source.SetAttribute("SendSize", UintegerValue(64 * kSegmentBytes));
    source.Install(nodes.Get(0));

    Simulator::Stop(Seconds(seconds));
    Simulator::Run();

    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    const double user = UserSeconds() - userBefore;
    std::cout << "{\"receivedBytes\": " << server.Get(0)->GetObject<PacketSink>()->GetTotalRx()
              << ", \"dataPacketsDelivered\": " << deliveredPackets
              << ", \"simulatedSeconds\": " << seconds
              << ", \"events\": " << Simulator::GetEventCount()
              << ", \"wallSeconds\": " << wall.count() << ", \"userSeconds\": " << user
              << ", \"peakBytes\": " << PeakBytes() << "}" << std::endl;
    Simulator::Destroy();
    return 0;
}
