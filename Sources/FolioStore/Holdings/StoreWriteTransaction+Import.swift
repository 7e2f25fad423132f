public import FolioDomain
internal import FolioCrypto

/// What importing a row came to.
public enum ImportedRowOutcome: Sendable {
  /// It became a transaction that adds to a holding, which was so before.
  case added(TransactionID, before: Holding)
  /// It became a transaction that sets fields of a document, which was so before; nil where it is new.
  case put(TransactionID, before: Document?)
  /// It was imported by this store before, and adds nothing.
  case repeated
  /// It changes nothing.
  case nothing
  /// It cannot be imported.
  case refused(any DomainError)
}

extension StoreWriteTransaction {
  /// Saves rows of a file, each as a transaction of its own, in their order: each checked on what is
  /// held with the rows before it.
  ///
  /// A row that is refused leaves nothing, and the next is tried, so that all that is wrong can be
  /// told at once. The caller throws out of the storage transaction where it wants all or nothing.
  ///
  /// A row that was imported before is known by its transaction's id: while that is pending here, and
  /// for ever once this store has read it in the log, whichever device imported it. One that another
  /// device has imported since the last sync is found by the server, which takes an id once: what it
  /// added here is taken away again with the next sync.
  /// - Parameters:
  ///   - rows: The rows, each with the number of equal ones before it.
  ///   - progress: Told how many rows are done.
  /// - Throws: ``StoreError/outboxFull(count:countMax:byteCount:byteCountMax:)`` where the rows are
  ///   more than can wait, ``StoreError/restoreUnfinished``, and what storage throws.
  /// - Complexity: O(rows x log n), and O(entries of the log).
  public mutating func saveImported(
    _ rows: [(row: ImportedRow, ordinal: Int)], progress: ((Int) -> Void)? = nil
  ) throws -> [ImportedRowOutcome] {
    let ids = rows.map { $0.row.transactionID(ordinal: $0.ordinal, using: SHA256.self) }
    let known = try reading.idsInLog(among: Set(ids))
    var outcomes: [ImportedRowOutcome] = []
    outcomes.reserveCapacity(rows.count)
    for (row, id) in zip(rows.map(\.row), ids) {
      outcomes.append(try saveImported(row, id, known))
      progress?(outcomes.count)
    }
    return outcomes
  }

  private mutating func saveImported(
    _ row: ImportedRow, _ id: TransactionID, _ known: Set<TransactionID>
  ) throws -> ImportedRowOutcome {
    if try known.contains(id) || reading.pendingSequence(of: id) != nil { return .repeated }
    do {
      var staged = StagedEdits()
      _ = try staged.stage(row.edit, on: reading)
      let operations = staged.operations
      switch row {
      case _ where operations.isEmpty: return .nothing
      case .holding(let asset, _, _):
        let before = try reading.holding(of: asset)
        return .added(try enqueue(operations, id: id), before: before)
      case .document(let put):
        let key = DocumentKey(collection: put.collection, id: put.document)
        let before = try reading.document(key)
        if let before, put.set.allSatisfy({ before[$0.path] == $0.value }) { return .nothing }
        return .put(try enqueue(operations, id: id), before: before)
      }
    } catch let error as EditError {
      return .refused(error)
    } catch let error as DocumentError {
      return .refused(error)
    } catch let error as RecordError {
      return .refused(error)
    } catch let error as BodyError {
      return .refused(error)
    } catch StoreError.bodyTooLarge(let byteCount, let limit) {
      return .refused(StoreError.bodyTooLarge(byteCount: byteCount, max: limit))
    }
  }
}
