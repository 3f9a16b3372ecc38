import RunLog

/// Staged bytes of terminated uploads (K1, L5), which the app asks the server to discard.
/// If the request is lost or the app dies, only the server's expiry can discard them.
struct TerminatedUploads: Sendable {
    private var uploads: [ItemName: ResourceName] = [:]
    /// Terminated transfers in order, each with its app.
    private var waiting: [(transfer: ItemName, app: UInt16)] = []
    /// The requests that are under way.
    private var farewells: [ConnectionName: ItemName] = [:]
    /// Whether the apps of the first phone have no network, where none of their own was told.
    private var isOffline = false
    /// The apps that were told of a network of their own, each with its phone.
    private var told: [UInt16: (isOffline: Bool, device: UInt16?)] = [:]
    private(set) var evidence = Evidence<Clause>()

    mutating func read(_ event: RunEvent) throws(Slip) {
        let app = event.app ?? 1
        switch event.fact {
        case .engine(.sends(let transfer, let resource, _, _, _)) where transfer.facade == .bucket:
            uploads[ItemName(transfer.number, of: .bucket)] = resource
        // A transfer that starts over has left its upload, and the server was told then.
        case .engine(.startsOver(let transfer, _)) where transfer.facade == .bucket:
            uploads[ItemName(transfer.number, of: .bucket)] = nil
        case .engine(.moves(let transfer, _, .cancelled, _)):
            guard uploads[transfer] != nil, !(told[app]?.isOffline ?? isOffline) else { return }
            evidence.decides(.terminated)
            waiting.append((transfer, app))
        case .server(.published(let resource, _, _, _)), .server(.discarded(let resource, _)):
            waiting.removeAll { [uploads] in uploads[$0.transfer] == resource }
            uploads = uploads.filter { $0.value != resource }
        case .connection(.opening(let connection, _, let transfer)):
            if waiting.contains(where: { $0.transfer == transfer }) {
                farewells[connection] = transfer
            }
        case .connection(.response(let connection, let status, _)):
            let transfer = farewells.removeValue(forKey: connection)
            if status >= 300 { waiting.removeAll { $0.transfer == transfer } }
        case .connection(.ended(let connection, _, _)):
            let transfer = farewells.removeValue(forKey: connection)
            waiting.removeAll { $0.transfer == transfer }
        case .device(.appKilled), .device(.appCrashed): waiting.removeAll { $0.app == app }
        case .network(.path(let path, let device)): hear(of: path, on: device)
        case .run(.ended): try judge()
        default: break
        }
    }

    /// What all apps of the first phone are told ends what single ones of them were told.
    private mutating func hear(of path: PathTerms, on device: UInt16?) {
        let hasNone = path.interface == nil
        for app in path.apps ?? [] { told[app] = (hasNone, device) }
        guard path.apps == nil else { return }
        isOffline = hasNone
        told = told.filter { $0.value.device != nil }
    }

    /// A request that still waits for its answer may succeed.
    private func judge() throws(Slip) {
        // any order: membership
        let left = waiting.first { entry in !farewells.values.contains(entry.transfer) }
        guard let left, let resource = uploads[left.transfer] else { return }
        throw Slip(
            expected: "\(resource) is discarded after \(left.transfer) was terminated",
            seen: "the server still holds it when the run ends")
    }
}

extension TerminatedUploads {
    enum Clause: String, ClauseName {
        /// Decided by each transfer that is terminated while the server holds bytes of it.
        case terminated = "terminated upload"

        var sentence: String { "the upload of a terminated transfer is discarded" }
    }
}
