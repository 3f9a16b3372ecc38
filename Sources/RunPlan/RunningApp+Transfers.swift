import RunLog
import TransferClient
import TransferEngine

/// Resumable transfers. The first launch starts those of the plan; later launches find them in the
/// managers' lists, and hear of a transfer when it resumes.
extension RunningApp {
    func perform(_ step: ItemStep, onTransfer number: Int) {
        switch step {
        case .begin:
            guard transfer(number) == nil else { return }
            let transfer = make(script.plan.transfers[number - 1], number)
            if !script.plan.manners.letsGoOfTransfers { madeTransfers[number] = transfer }
            transfer.transfer(listener)
        case .resume: transfer(number)?.transfer(listener)
        case .suspend: transfer(number)?.suspend()
        case .terminate: transfer(number)?.terminate()
        case .run, .cancel, .stop, .pause, .remove, .retry, .beginUnlessListed, .putOff:
            step.isNone(of: .bucket)
        }
    }

    /// Returns a transfer of this launch or an earlier one.
    private func transfer(_ number: Int) -> ResumableTransfer? {
        if let made = madeTransfers[number] { return made }
        return manager(of: script.plan.transfers[number - 1]).transfers.first {
            $0.number == UInt64(number)
        }
    }

    private func make(_ planned: PlannedTransfer, _ number: Int) -> ResumableTransfer {
        let manager = manager(of: planned)
        return planned.isDownload
            ? manager.downloader(
                UInt64(number), of: planned.object, toFile: planned.path, account: script.account)
            : manager.uploader(
                UInt64(number), of: planned.object, fromFile: planned.path,
                account: script.account)
    }

    private func manager(of planned: PlannedTransfer) -> ResumableTransferManager {
        faces.resumable.manager(ofBucket: planned.bucket, in: PlannedTransfer.app)
    }
}
