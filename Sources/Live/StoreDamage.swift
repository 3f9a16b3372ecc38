import Foundation
import Glibc
import Quantities

/// Bits of a store that are other than they were written, for real.
enum StoreDamage {
    /// At random places, behind the back of whoever has written it; nothing where there is none.
    static func flip(
        _ count: UInt32, of store: String, in folder: String, by chance: inout RandomStream
    ) throws(SystemError) {
        let place = folder + "/" + store
        guard var bytes = FileManager.default.contents(atPath: place), !bytes.isEmpty else {
            return
        }
        for _ in 0..<count {
            let bit = Int(chance.below(UInt64(bytes.count) * 8))
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        try Descriptor(opening: place, O_WRONLY).write(Array(bytes), at: 0)
    }
}
