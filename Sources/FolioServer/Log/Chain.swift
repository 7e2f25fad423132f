import FolioCrypto
import FolioDomain
import FolioWire

/// The hash of an empty log of `account`.
func startHash(of account: AccountID) -> Hash256 {
  LogChain.start(account: account, using: SHA256.self)
}

/// The chain's hash after `entry`, where it had `previous` before it.
func nextHash(after previous: Hash256, _ entry: LogEntry) -> Hash256 {
  LogChain.next(after: previous, entry, using: SHA256.self)
}

/// SHA-256 of a body's exact bytes.
func bodyHash(of body: [UInt8]) -> Hash256 { SHA256.hash(of: body) }

/// The entry of the log that came over the wire, its body hashed here.
func logEntry(_ entry: WireEntry) -> LogEntry { entry.logEntry(using: SHA256.self) }
