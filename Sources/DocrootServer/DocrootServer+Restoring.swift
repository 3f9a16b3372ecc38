/// Restores the uploads that an earlier server has left on the disk.
extension DocrootServer {
    mutating func restored(_ left: [RestoredUpload], _ last: UInt64) {
        lastUpload = max(lastUpload, last)
        for upload in left {
            lastUpload = max(lastUpload, upload.record.id.number)
            let id = upload.record.id
            if let key = upload.record.key {
                // An upload with a key cannot be resumed: it ended with its connection.
                guard upload.isPublished else {
                    outputs.append(.discard(id))
                    continue
                }
                keyed[Self.scope(key, of: upload.record.object)] = id
            }
            uploads[id] = Upload(upload)
        }
        tellLost()
        scheduleExpiry()
        if let rule = restartedBy { comeBack(by: rule, with: left.count) }
    }
}
