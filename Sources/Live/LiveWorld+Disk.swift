import Device
import Quantities
import RunLog
import RunPlan
import TransferHost

/// The disks of a live run's phones.
extension LiveWorld {
    /// Makes a phone's disk if the plan gives it a size or trouble.
    static func disk(
        of phone: PhoneEntry, _ plan: RunPlan, in directory: borrowing RunDirectory
    ) throws(SystemError) -> SharedDisk? {
        let capacity = phone.plan.diskCapacity
        let isTouched = plan.timeline.contains { entry in
            switch entry.action {
            case .device(.disk, phone.number): true
            default: false
            }
        }
        guard capacity != nil || isTouched else { return nil }
        let place = directory.disk(ofPhone: phone.number, capacity: capacity?.bytes)
        return try SharedDisk(making: place)
    }

    /// Changes a file behind its app's back.
    func changeFile(_ change: FileChange) throws(LiveError) {
        guard let app = apps.first(where: { $0.files.has(change.path) }) else {
            preconditionFailure("no app has \(change.path)")
        }
        var space = phones[app.phone].disk?.space ?? DiskSpace()
        let fact = app.files.apply(change, at: clock.now, on: &space)
        let samples = app.files[change.path]?.samples
        // Logged before it is done: no reader can be faster than the log.
        ownLog.record(.file(fact), at: clock.now, app: app.name)
        do throws(SystemError) {
            switch fact {
            case .stands(let path, let version, let size):
                if samples != version {
                    ownLog.record(
                        .file(.keepsSamples(path: path)), at: clock.now, app: app.name)
                }
                let file = PlannedFile(path: path, version: version, size: size)
                try app.container.replace(
                    file, samples: samples, keepingDate: change.keepsDate)
            case .touched(let path): try app.container.touch(path)
            case .downloaded, .moved, .lost, .keepsSamples, .parts:
                preconditionFailure("nobody changes a file by a download")
            case .removed(let path): app.container.remove(path)
            case .kept: break
            }
        } catch {
            throw .system(error)
        }
    }
}
