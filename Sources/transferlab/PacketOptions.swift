import Runs

/// `--packets` and `--snap-length`, for every command that plays in the virtual world.
enum PacketOptions {
    static let packets = "--packets"
    static let snapLength = "--snap-length"

    static let choices = [packets: PacketCapture.Place.allCases.map(\.rawValue)]

    static let help = """
          --packets [client | server | both]
                        write every packet to a capture file beside the report, as seen at the
                        client (capture.pcap, the default), at the server (capture-server.pcap),
                        or at both
          --snap-length N
                        keep only the first N bytes of each packet; 80 bytes keep all headers
        """

    /// Returns the requested capture; `nil` if there is none.
    static func read(
        _ arguments: Arguments, of command: Command
    ) throws(UsageError) -> PacketCapture? {
        let length = try length(arguments, of: command)
        guard let choice = arguments[packets] else {
            guard length == nil else {
                throw UsageError("\(snapLength) works only with \(packets)", of: command)
            }
            return nil
        }
        return PacketCapture(at: .init(rawValue: choice) ?? .client, snapLength: length)
    }

    private static func length(
        _ arguments: Arguments, of command: Command
    ) throws(UsageError) -> Int? {
        guard let text = arguments[snapLength] else { return nil }
        let allowed = PacketCapture.snapLengths
        guard let length = Int(text), allowed.contains(length) else {
            throw UsageError(
                "\(snapLength) takes a whole number of bytes from \(allowed.lowerBound) to "
                    + "\(allowed.upperBound), not “\(text)”", of: command)
        }
        return length
    }
}
