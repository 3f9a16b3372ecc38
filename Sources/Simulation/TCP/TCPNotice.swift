/// News for a host from a call to an endpoint; one packet may bring several.
struct TCPNotice: OptionSet {
    let rawValue: UInt8

    static let connected = TCPNotice(rawValue: 1 << 0)
    static let accepted = TCPNotice(rawValue: 1 << 1)
    static let readable = TCPNotice(rawValue: 1 << 2)
    static let peerFinished = TCPNotice(rawValue: 1 << 3)
    static let roomAvailable = TCPNotice(rawValue: 1 << 4)
    static let ended = TCPNotice(rawValue: 1 << 5)
}
