internal import FolioJSON

/// What has to be done to a present state so that an earlier one counts again.
///
/// A log only grows, so that the way back is forward: operations that undo the difference.
public enum Compensation {
  /// How many bytes of values stand in one `put` at most, unless a single value is larger.
  private static let putByteLimit = 65_536

  /// The operations that make the amount and the category of `present` those of `wanted`.
  ///
  /// An asset that is listed in neither needs none. An asset's history stays what it was.
  /// - Throws: `EditError.amountOverflow`, where the difference is beyond an amount's range.
  public static func operations(from present: Holding, to wanted: Holding) throws(EditError)
    -> [Operation]
  {
    var operations: [Operation] = []
    let difference = wanted.amount - present.amount
    guard let amount = difference.amount else { throw .amountOverflow }
    if !amount.isZero { operations.append(.adjust(present.asset, amount)) }
    if wanted.isListed, wanted.category != present.category {
      operations.append(.categorize(present.asset, wanted.category))
    }
    return operations
  }

  /// The operations that make the fields and the deletion of a document what they were in `wanted`;
  /// nil is a document that was never made, which a deletion comes nearest to.
  ///
  /// - Throws: what writing a value throws.
  /// - Complexity: O(fields of both).
  public static func operations(
    on key: DocumentKey, from present: Document?, to wanted: Document?
  ) throws -> [Operation] {
    guard let wanted else {
      guard let present, !present.isDeleted else { return [] }
      return [.delete(key.collection, key.id)]
    }
    let set = wanted.values.filter { present?[$0.path] != $0.value }
    let unset = present?.values.map(\.path).filter { wanted[$0] == nil } ?? []
    let undelete = !wanted.isDeleted && present?.isDeleted == true
    var operations: [Operation] = []
    if present == nil || !set.isEmpty || !unset.isEmpty || undelete {
      for (index, fields) in try pieces(of: set).enumerated() {
        operations.append(
          .put(
            DocumentPut(
              collection: key.collection, document: key.id, set: fields,
              unset: index == 0 ? unset : [], undelete: index == 0 && undelete)))
      }
    }
    if wanted.isDeleted, present?.isDeleted != true {
      operations.append(.delete(key.collection, key.id))
    }
    return operations
  }

  /// The fields in groups that each fit into a body; one group at least.
  private static func pieces(of fields: [DocumentField]) throws -> [[DocumentField]] {
    var pieces: [[DocumentField]] = [[]]
    var byteCount = 0
    for field in fields {
      let size = try field.value.canonicalBytes.count + 256
      if byteCount + size > putByteLimit, byteCount > 0 {
        pieces.append([])
        byteCount = 0
      }
      pieces[pieces.count - 1].append(field)
      byteCount += size
    }
    return pieces
  }
}
