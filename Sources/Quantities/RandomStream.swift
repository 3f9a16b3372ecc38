/// Reproducible randomness with a name: `RandomStream(seed: 7, name: "uplink/loss")`.
///
/// Each part of a run draws from its own stream, so adding a part leaves the draws of all others as
/// they were.
/// Generator: xoshiro256** (Blackman and Vigna), seeded by SplitMix64 over seed and name.
package struct RandomStream: Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64, name: String) {
        var mixer = seed
        for byte in name.utf8 { mixer = (mixer ^ UInt64(byte)) &* 0x100_0000_01b3 }
        func splitMix() -> UInt64 {
            mixer &+= 0x9e37_79b9_7f4a_7c15
            var z = mixer
            z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
            return z ^ z >> 31
        }
        state = (splitMix(), splitMix(), splitMix(), splitMix())
    }

    package mutating func next() -> UInt64 {
        let scaled = state.1 &* 5
        let result = (scaled << 7 | scaled >> 57) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = state.3 << 45 | state.3 >> 19
        return result
    }

    /// Returns a uniformly distributed number below `limit`, which must be positive.
    package mutating func below(_ limit: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: limit).high
    }
}
