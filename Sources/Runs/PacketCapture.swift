import Capture
import Reports
import Simulation

/// The capture of a simulated run: at which ends of the network, and how much of each packet.
package struct PacketCapture: Hashable, Sendable {
    package var place: Place
    /// `nil`: whole packets.
    package var snapLength: Int?

    package enum Place: String, Hashable, Sendable, CaseIterable {
        case client, server, both
    }

    package init(at place: Place, snapLength: Int? = nil) {
        self.place = place
        self.snapLength = snapLength
    }

    /// From the length that keeps all headers to the length of the longest IPv4 packet.
    package static let snapLengths = 80...65_535

    func tap(in folder: RunFolder) throws(RunFailure) -> PacketTap {
        do throws(CaptureError) {
            return try PacketTap(
                client: place == .server ? nil : folder.captureFile,
                server: place == .client ? nil : folder.serverCaptureFile, snapLength: snapLength)
        } catch {
            throw RunFailure(error)
        }
    }
}

extension PacketCapture {
    /// The files that `tap` writes, for the report.
    var files: [ReportModel.CaptureFile] {
        let client = ReportModel.CaptureFile(name: RunFolder.captureName, place: "the client")
        let server = ReportModel.CaptureFile(name: RunFolder.serverCaptureName, place: "the server")
        return switch place {
        case .client: [client]
        case .server: [server]
        case .both: [client, server]
        }
    }
}

extension RunFailure {
    /// The failure of a capture that could not be written.
    init(_ error: CaptureError) {
        self.init(
            "\(error); choose another folder with --report, or keep less of each packet with "
                + "--snap-length")
    }
}
