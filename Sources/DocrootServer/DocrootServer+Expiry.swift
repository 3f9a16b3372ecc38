import Quantities

/// Expiry of uploads that nobody continues.
extension DocrootServer {
    /// Removes uploads that have expired.
    mutating func reclaim() {
        let wall = settings.wallClock(at: now)
        let late = uploads.values.filter { upload in
            guard let expires = upload.record.expires else { return false }
            return expires <= wall && upload.writer == nil && upload.stage != .publishing
        }
        for upload in late.sorted(by: { $0.id.number < $1.id.number }) {
            terminate(upload.id, because: "its time is over")
        }
        scheduleExpiry()
    }

    mutating func scheduleExpiry() {
        // any order: only the earliest counts
        let earliest = uploads.values.compactMap(\.record.expires).min()
        guard let earliest else { return nextExpiry = nil }
        // Not at once again for an expired upload that is busy.
        nextExpiry = max(settings.instant(ofWallClock: earliest), now + .seconds(1))
    }
}
