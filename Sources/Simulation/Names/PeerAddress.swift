import RunLog
import RunPlan

/// The address of the peer: its family, and what becomes of connections to it.
struct PeerAddress {
    var family = AddressFamily.ipv4
    var reach = NamePlan.Reach.open
}
