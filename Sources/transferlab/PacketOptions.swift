import Runs

/// `--packets` and what belongs to it, for every command that plays in the virtual world.
enum PacketOptions {
    static let packets = "--packets"
    static let snapLength = "--snap-length"

    static let choices = [packets: PacketCapture.Place.allCases.map(\.rawValue)]

    static let help = """
          --packets [client | server | both]
                        write every packet into a capture file beside the report, as seen at the
                        client (capture.pcap, the usual), at the server (capture-server.pcap), or
                        at each of them
          --snap-length N
                        keep only the first N bytes of each of these packets; 80 keep all headers
        """

    /// What is asked for, if anything is.
    static func read(
        _ arguments: Arguments, of command: Command
    ) throws(UsageError) -> PacketCapture? {
        let length = try length(arguments, of: command)
        guard let choice = arguments[packets] else {
            guard length == nil else {
                throw UsageError("\(snapLength) means nothing without \(packets)", of: command)
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
                "\(snapLength) wants a whole number of bytes from \(allowed.lowerBound) to "
                    + "\(allowed.upperBound), not “\(text)”", of: command)
        }
        return length
    }
}
