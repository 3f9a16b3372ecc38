import RunLog

extension LinkLedger {
    /// The counts that the link itself must report, if all records are there.
    var expectedCount: LinkCount {
        var expected = count
        expected.inFlight.packets =
            count.sent.packets + count.duplicated.packets
            - count.delivered.packets - count.dropped.packets
        expected.inFlight.bytes =
            count.sent.bytes + count.duplicated.bytes - count.delivered.bytes - count.dropped.bytes
        return expected
    }
}
