package import Quantities

/// A coupled dual queue (RFC 9332): scalable traffic has a line of its own, whose packets are
/// marked from a millisecond of delay on; the other traffic has another line, whose delay a PI
/// controller holds. The controller's base chance p is squared for classic traffic, and doubled for
/// scalable traffic, so that a flow of either kind gets as much as one of the other:
///
///     classic    p²         drop, or mark if it is ECN-capable
///     scalable   2 p        mark, and mark behind a longer delay than the step
///
/// The scalable line goes first, except for a tenth of the bytes. Follows Linux's `sch_dualpi2`
/// where the RFC leaves a choice: a weighted round robin, a step instead of a ramp, decisions at
/// the head of the line. The chance is held in 2⁵³rds, and delays in nanoseconds.
package struct DualPI2: Sendable {
    private var chance: Int64 = 0
    private let options: Options
    private let alpha: Int64
    private let beta: Int64
    private var random: RandomStream
    private var nextUpdate: UInt64 = 0
    private var oldDelay: Int64 = 0
    /// The scalable line's turn while it is negative, in bytes by weight.
    private var credit = startCredit

    /// Options with the defaults of RFC 9332 §A.1, and Linux's.
    package struct Options: Hashable, Sendable {
        package var target = TimeSpan.milliseconds(15)
        package var updatePeriod = TimeSpan.milliseconds(16)
        /// The weights in thousandths per second: 0.16 and 3.2.
        package var alphaThousandths: UInt64 = 160
        package var betaThousandths: UInt64 = 3_200
        /// The delay of the scalable line beyond which every packet is marked.
        package var step = TimeSpan.milliseconds(1)

        package init() {}
    }

    private static let whole: Int64 = 1 << 53
    private static let fullPacket = 1_500
    private static let classic = 0
    private static let scalable = 1
    private static let coupling: Int64 = 2
    /// The weights of the lines, in percent.
    private static let classicWeight = 10
    private static let scalableWeight = 90
    private static let startCredit = fullPacket * (classicWeight - scalableWeight)

    init(_ options: Options, random: RandomStream) {
        self.options = options
        alpha = PIE.perNanosecond(options.alphaThousandths)
        beta = PIE.perNanosecond(options.betaThousandths)
        self.random = random
    }

    static func line(of packet: WaitingPacket) -> Int {
        packet.marking == .scalable ? scalable : classic
    }

    mutating func dequeue(
        at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]
    ) -> WaitingPacket? {
        update(at: now, room)
        while let line = nextLine(room), let packet = room.removeFirst(of: line) {
            pay(for: packet, on: line, room)
            let left = room.bytes + UInt64(packet.size)
            switch judge(packet, isAlone: left <= 2 * UInt64(Self.fullPacket)) {
            case .drop: givenUp.append(packet.place)
            case .mark: return packet.marked
            case .join: return isBeyondStep(packet, at: now) ? packet.marked : packet
            }
        }
        credit = Self.startCredit
        return nil
    }

    /// Counts a packet against its line, while the other has packets, too.
    private mutating func pay(
        for packet: WaitingPacket, on line: Int, _ room: borrowing WaitingRoom
    ) {
        guard room.bytes(in: 1 - line) > 0 else { return }
        credit += packet.size * (line == Self.scalable ? Self.classicWeight : -Self.scalableWeight)
    }

    private func nextLine(_ room: borrowing WaitingRoom) -> Int? {
        let hasScalable = room.bytes(in: Self.scalable) > 0
        let hasClassic = room.bytes(in: Self.classic) > 0
        if hasScalable, !hasClassic || credit <= 0 { return Self.scalable }
        return hasClassic ? Self.classic : nil
    }

    private mutating func judge(_ packet: WaitingPacket, isAlone: Bool) -> ArrivalVerdict {
        if isAlone { return .join }
        let coupled = Self.coupling * chance
        // So many marks cannot help any more: both kinds are dropped alike (§4.2.3).
        let isOverload = coupled > Self.whole
        switch packet.marking {
        case .none: return isDrawnTwice() ? .drop : .join
        case .classic:
            guard isDrawnTwice() else { return .join }
            return isOverload ? .drop : .mark
        case .scalable:
            if isOverload { return isDrawnTwice() ? .drop : .mark }
            return isDrawn(coupled) ? .mark : .join
        }
    }

    private func isBeyondStep(_ packet: WaitingPacket, at now: UInt64) -> Bool {
        packet.marking == .scalable
            && now - packet.enqueuedAt > options.step.nanoseconds.magnitude
    }

    private mutating func isDrawnTwice() -> Bool { isDrawn(chance) && isDrawn(chance) }

    private mutating func isDrawn(_ chance: Int64) -> Bool {
        chance > 0 && Int64(random.next() >> 11) < chance
    }

    // MARK: The controller

    /// Updates the chance as often as it is due (§A.1). The lines were the same all the time.
    mutating func update(at now: UInt64, _ room: borrowing WaitingRoom) {
        let period = options.updatePeriod.nanoseconds.magnitude
        while nextUpdate <= now {
            let delay = Int64(
                max(
                    delay(of: Self.classic, at: nextUpdate, room),
                    delay(of: Self.scalable, at: nextUpdate, room)))
            adjustChance(for: delay)
            nextUpdate += period
            let isAtRest =
                delay == 0
                ? chance == 0 : chance == Self.whole && delay > options.target.nanoseconds
            guard isAtRest, nextUpdate <= now else { continue }
            nextUpdate += (now - nextUpdate) / period * period
        }
    }

    private func delay(of line: Int, at time: UInt64, _ room: borrowing WaitingRoom) -> UInt64 {
        guard let first = room.first(of: line) else { return 0 }
        return time - min(first.enqueuedAt, time)
    }

    private mutating func adjustChance(for delay: Int64) {
        // Delays of hours, as in an outage, would overflow 64 bits here.
        let step =
            Int128(alpha) * Int128(delay - options.target.nanoseconds)
            + Int128(beta) * Int128(delay - oldDelay)
        chance = Int64(min(max(Int128(chance) + step, 0), Int128(Self.whole)))
        oldDelay = delay
    }
}
