/// What is read of a damaged store, as far as that can be read.
protocol Salvage {
    var hasMetDamage: Bool { get set }
}

extension Salvage {
    /// Damage ends what is being read there, and nothing else.
    mutating func keepingWhatIsThere(
        _ body: (inout Self) throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try body(&self)
        } catch {
            guard case .damaged = error else { throw error }
            hasMetDamage = true
        }
    }
}
