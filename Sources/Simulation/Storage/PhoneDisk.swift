package import Device

/// The disk of a virtual phone, as all of its apps share it: their files and stores are on it.
package final class PhoneDisk {
    package var space: DiskSpace

    package init(_ space: DiskSpace = DiskSpace()) { self.space = space }
}
