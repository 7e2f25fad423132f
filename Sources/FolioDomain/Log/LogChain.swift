/// The hash chain of an account's log: each entry's hash covers all entries before it.
public enum LogChain {
  private static let label: StaticString = "folio log 1\n"
  /// The bytes that are hashed for an entry.
  private static let byteCount = 1 + 32 + 8 + 8 + 1 + 16 + 8 + 16 + 8 + 1 + 8 + 32

  /// The hash of an account's empty log: of a label and the account's id.
  public static func start<H: HashFunction>(
    account: AccountID, using function: H.Type
  ) -> Hash256 {
    var hasher = H()
    hasher.update(UnsafeRawBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount))
    account.value.bytes.withUnsafeBytes { hasher.update($0) }
    return hasher.finalize()
  }

  /// The hash after `entry`, which follows the place where the chain has `previous`.
  ///
  /// Over fixed-width fields, most significant byte first: entry version, previous hash, seq,
  /// acceptedAt, kind, device, device sequence, id, recordedAt, form, key id, hash of the body. A
  /// stub chains as the whole entry does, for it carries that hash.
  /// - Complexity: O(1).
  public static func next<H: HashFunction>(
    after previous: Hash256, _ entry: LogEntry, using function: H.Type
  ) -> Hash256 {
    let transaction = entry.transaction
    var bytes = CanonicalBytes(capacity: byteCount)
    bytes.append(transaction.version)
    bytes.append(previous)
    bytes.append(entry.seq)
    bytes.append(entry.acceptedAt.milliseconds)
    bytes.append(entry.kind.rawValue)
    bytes.append(transaction.device.value)
    bytes.append(transaction.deviceSequence)
    bytes.append(transaction.id.value)
    bytes.append(transaction.recordedAt.milliseconds)
    bytes.append(transaction.form.rawValue)
    bytes.append(transaction.keyID)
    bytes.append(entry.bodyHash)
    return bytes.hash(using: function)
  }
}
