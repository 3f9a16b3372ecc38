import Foundation
import Glibc
import Quantities
import TransferHost

/// Damage to a store's real file.
enum StoreDamage {
    /// Flips bits at random places, behind the back of the store's writer; does nothing without a
    /// store.
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
