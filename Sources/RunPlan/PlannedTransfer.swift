import Device
package import TransferEngine

/// A resumable transfer that an app starts.
package struct PlannedTransfer: Hashable, Sendable {
    package var isDownload: Bool
    /// The file to upload, or the destination of a download.
    package var path: String
    /// The object's identifier within the bucket.
    package var object: String
    package var bucket: String

    /// The app's name on the server, under which its buckets are.
    package static let app = "lab"

    package init(isDownload: Bool, path: String, object: String, bucket: String) {
        self.isDownload = isDownload
        self.path = path
        self.object = object
        self.bucket = bucket
    }

    /// The object's path below the docroot.
    package var objectPath: String { "\(Self.app)/buckets/\(bucket)/objects/\(object)" }
}

extension DevicePlan {
    /// The platform; an unknown system is an iPhone.
    package var platform: Platform {
        if case .android = system { .android } else { .iOS }
    }
}
