import Runs

/// `--packets` and `--snap-length`, for every command that plays in the virtual world.
enum PacketOptions {
    private static let packets = "--packets"
    private static let snapLength = "--snap-length"

    static let options: [CommandOption] = [
        .perhaps(packets, PacketCapture.Place.allCases.map(\.rawValue)), .init(snapLength, .own),
    ]

    static let help = """
          --packets [client | server | both]
                        write every packet to a capture file beside the report, as seen
                        at the client (capture.pcap, the default), at the server
                        (capture-server.pcap), or at both
          --snap-length N
                        keep only the first N bytes of each packet; 80 bytes keep all
                        headers
        """

    /// Returns the requested capture; `nil` if there is none.
    static func read(_ arguments: Arguments) throws(UsageError) -> PacketCapture? {
        let length = try arguments.number(snapLength, "of bytes", in: PacketCapture.snapLengths)
        guard let choice = arguments[packets] else {
            try arguments.require(length == nil, "\(snapLength) works only with \(packets)")
            return nil
        }
        return PacketCapture(at: .init(rawValue: choice) ?? .client, snapLength: length)
    }
}
