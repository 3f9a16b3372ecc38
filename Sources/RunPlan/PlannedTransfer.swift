import Device
package import TransferEngine

/// A resumable transfer that an app starts.
package struct PlannedTransfer: Hashable, Sendable {
    package var isDownload: Bool
    /// A file of the app that goes up, or the path at which what comes down stands in the end.
    package var path: String
    /// The object's identifier within the bucket.
    package var object: String
    package var bucket: String

    /// The app's name for its server, under which its buckets are.
    package static let app = "lab"

    package init(isDownload: Bool, path: String, object: String, bucket: String) {
        self.isDownload = isDownload
        self.path = path
        self.object = object
        self.bucket = bucket
    }

    /// Where the object is below the docroot.
    package var objectPath: String { "\(Self.app)/buckets/\(bucket)/objects/\(object)" }
}

extension DevicePlan {
    /// What its apps take it for; a phone of which nothing is said is an iPhone.
    package var platform: Platform {
        if case .android = system { .android } else { .iOS }
    }
}
