import CLinux
import Glibc
import RunPlan
import TransferHost

/// A network namespace that contains only a TUN device, one end of an emulated link.
///
/// It has no name: the kernel removes it with its last descriptor, however a run ends.
struct NetworkSpace: ~Copyable {
    private let space: Descriptor
    /// Packets from its hosts are read here; packets written here reach them.
    let device: Descriptor

    /// `peer` is the only reachable address.
    init(
        address: String, peer: String, buffers: BulkFlowPlan.Buffers
    ) throws(SystemError) {
        let numbers = try Self.inThread { () throws(SystemError) -> [Int32] in
            guard unshare(NEW_NETWORK) == 0 else { throw SystemError("make a network namespace") }
            let space = retryingInterrupted {
                open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
            }
            guard space >= 0 else { throw SystemError("open a network namespace") }
            // From here on both descriptors have an owner.
            return [space, try Self.makeDevice(address, peer, buffers)]
        }
        space = Descriptor(adopting: numbers[0])
        device = Descriptor(adopting: numbers[1])
    }

    /// Runs in this network: a socket belongs to the network in which it is made.
    func inside<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        let number = space.number
        return try Self.inThread { () throws(SystemError) -> Answer in
            guard setns(number, NEW_NETWORK) == 0 else {
                throw SystemError("enter a network namespace")
            }
            return try body()
        }
    }

    /// Runs on a new thread, because a thread cannot leave a network again.
    private static func inThread<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        try RealTimeThread(priority: 0) {
            Result { () throws(SystemError) -> Answer in try body() }
        }.join().get()
    }

    private static func makeDevice(
        _ address: String, _ peer: String, _ buffers: BulkFlowPlan.Buffers
    ) throws(SystemError) -> Int32 {
        for (path, value) in KernelSettings.all(buffers) { try write(value, to: path) }
        let device = retryingInterrupted { open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK) }
        guard device >= 0 else { throw SystemError("open /dev/net/tun") }
        var request = InterfaceRequest()
        request.flags = Int16(IFF_TUN | IFF_NO_PI)
        try request.send(TUN_SET_INTERFACE, to: device, "make a TUN device")
        let socket = try Descriptor.tcpSocket()
        request.number = queueLength
        try request.send(UInt(SIOCSIFTXQLEN), to: socket.number, "lengthen a device's queue")
        for (call, text) in [(SIOCSIFADDR, address), (SIOCSIFDSTADDR, peer)] {
            guard let address = sockaddr_in(ipv4: text, port: 0) else {
                preconditionFailure("\(text) is an address")
            }
            request.address = address
            try request.send(UInt(call), to: socket.number, "give a device its address")
        }
        request.flags = Int16(IFF_UP | IFF_RUNNING)
        try request.send(UInt(SIOCSIFFLAGS), to: socket.number, "switch a device on")
        return device
    }

    /// Longer than any backlog: only the link's own queue may drop.
    private static let queueLength: Int32 = 20_000

    private static func write(_ value: String, to setting: String) throws(SystemError) {
        let path = "/proc/sys/net/\(setting)"
        // An older kernel lacks the setting.
        guard access(path, F_OK) == 0 else { return }
        try Descriptor(opening: path, O_WRONLY).write(Array(value.utf8), at: 0)
    }
}

/// `struct ifreq`: a device's name, and a union of arguments.
private struct InterfaceRequest {
    private var request = ifreq()

    init() {
        withUnsafeMutableBytes(of: &request.ifr_ifrn) { $0.copyBytes(from: "link".utf8) }
    }

    var flags: Int16 {
        get { request.ifr_ifru.ifru_flags }
        set { request.ifr_ifru.ifru_flags = newValue }
    }

    var number: Int32 {
        get { request.ifr_ifru.ifru_mtu }
        set { request.ifr_ifru.ifru_mtu = newValue }
    }

    var address: sockaddr_in {
        get { withUnsafeBytes(of: request.ifr_ifru) { $0.loadUnaligned(as: sockaddr_in.self) } }
        set {
            withUnsafeMutableBytes(of: &request.ifr_ifru) {
                $0.storeBytes(of: newValue, as: sockaddr_in.self)
            }
        }
    }

    mutating func send(_ call: UInt, to descriptor: Int32, _ action: String) throws(SystemError) {
        guard ioctl(descriptor, call, &request) == 0 else { throw SystemError(action) }
    }
}
