/// One end's progress through a handshake whose flights both ends know.
///
///     client:  begin ─▶ sent ─▶ awaits the server's ─▶ sent ─▶ … ─▶ done
///     server:           awaits the client's ─▶ sent ─▶ awaits … ─▶ done
///
/// An end is done when it has sent or received the last awaited flight. Nothing is decrypted, so a
/// flight is known by its length; tickets after it are records like any other.
struct TLSHandshake: Sendable {
    private var next = 0
    /// Number of bytes received of the awaited flight.
    private var arrived = 0
    private let isClient: Bool

    init(isClient: Bool) { self.isClient = isClient }

    /// Returns the flight to send now, if there is one.
    mutating func flightToSend(of flights: TLSFlights) -> [UInt8]? {
        let isLeft = next < flights.bytes.count
        guard isLeft, next.isMultiple(of: 2) == isClient else { return nil }
        defer { next += 1 }
        return flights.bytes[next]
    }

    /// Takes bytes that have arrived; returns how many belong to the handshake.
    mutating func take(_ count: Int, of flights: TLSFlights) -> Int {
        guard !isDone(flights), next.isMultiple(of: 2) != isClient else { return 0 }
        let taken = min(count, flights.bytes[next].count - arrived)
        arrived += taken
        if arrived == flights.bytes[next].count {
            next += 1
            arrived = 0
        }
        return taken
    }

    /// Whether content may follow.
    func isDone(_ flights: TLSFlights) -> Bool { next >= flights.awaited }
}
