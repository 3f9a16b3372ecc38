import Glibc
import RunPlan
import TransferHost

/// The TLS of a live run: the server has a certificate of its own, which all processes trust.
extension LiveWorld {
    /// Makes the server's certificate; `nil` if the plan wants no TLS.
    static func identity(
        for plan: RunPlan, in directory: borrowing RunDirectory
    ) throws(LiveError) -> (security: ServerSecurity, context: SecureContext)? {
        guard plan.tcp.security != .none else { return nil }
        do throws(SecurityError) {
            let identity = ServerIdentity(in: directory.path)
            try identity.make(for: [TCPListener.host], names: [])
            let context = try SecureContext.server(as: identity)
            context.only(plan.tcp.security.isTLS13 ? .tls13 : .tls12)
            let security = ServerSecurity(
                certificate: identity.certificate, words: plan.tcp.security.words)
            return (security, context)
        } catch {
            throw .security(error)
        }
    }
}
