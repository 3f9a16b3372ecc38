/// Integer cube roots, exact and the same on every machine.
enum CubeRoot {
    /// The largest number whose cube is at most `value`.
    static func of(_ value: UInt64) -> UInt64 {
        guard value > 0 else { return 0 }
        // Newton's iteration from above the root decreases until it reaches the root.
        var root = UInt64(1) << UInt64((66 - value.leadingZeroBitCount) / 3)
        while true {
            let better = (2 * root + value / (root * root)) / 3
            if better >= root { return root }
            root = better
        }
    }
}
