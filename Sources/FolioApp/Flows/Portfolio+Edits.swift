public import FolioDomain
public import FolioStore

extension Portfolio {
  /// The flow that is under way; nil where none is.
  ///
  /// - Throws: `AppError.flowUnreadable`.
  public func flow() throws -> Flow? { try store.read { try $0.flow() } }

  /// Begins an edit: what is made with ``make(_:)`` from now on is staged.
  ///
  /// - Throws: `AppError.flowUnderWay` where a flow is under way, in this process or another.
  @discardableResult
  public func beginEdit() throws -> EditFlow {
    let flow = EditFlow(begunAt: options.clock.now())
    try store.write { try $0.begin(.edit(flow)) }
    return flow
  }

  /// Makes an edit: stages it where an edit is under way, and saves it where none is.
  ///
  /// - Throws: `EditError`, `DocumentError` or `RecordError` where it cannot be made;
  ///   ``StagedEditError`` where one staged before it no longer can; nothing has changed then.
  @discardableResult
  public func make(_ edit: Edit) throws -> MadeEdit {
    try store.write { transaction in
      guard case .edit(var flow)? = try transaction.reading.flow() else {
        let saved = try transaction.save([edit])
        guard let outcome = saved.outcomes.first else { throw AppError.noFlow(.edit) }
        return MadeEdit(outcome: outcome, isStaged: false)
      }
      let outcome = try flow.stage(edit, on: transaction.reading)
      try transaction.keep(.edit(flow))
      return MadeEdit(outcome: outcome, isStaged: true)
    }
  }

  /// What the staged edits would change, if they were saved now.
  ///
  /// - Throws: `AppError.noFlow`; ``StagedEditError`` where one of them can no longer be made.
  public func reviewEdit() throws -> EditReview {
    try store.read { state in
      let flow = try state.editFlow()
      let (staged, _) = try flow.replay(on: state)
      return EditReview(
        flow: flow, changes: staged.changes, operationCount: staged.operations.count)
    }
  }

  /// Takes the edit that was staged last back.
  ///
  /// - Returns: What was taken back; nil where nothing is staged.
  /// - Throws: `AppError.noFlow`.
  @discardableResult
  public func undoStagedEdit() throws -> Edit? {
    try store.write { transaction in
      var flow = try transaction.reading.editFlow()
      let undone = flow.edits.popLast()
      try transaction.keep(.edit(flow))
      return undone
    }
  }

  /// Saves the staged edits as one transaction, merged, each checked on the state as it is now, and
  /// ends the edit.
  ///
  /// Edits that leave nothing make no transaction.
  /// - Throws: `AppError.noFlow`; ``StagedEditError`` of the first edit that can no longer be made;
  ///   `StoreError`. The edit stays as it was then.
  @discardableResult
  public func saveEdit() throws -> SavedEdits {
    try store.write { transaction in
      let flow = try transaction.reading.editFlow()
      _ = try flow.replay(on: transaction.reading)
      let saved = try transaction.save(flow.edits)
      try transaction.keep(nil)
      return saved
    }
  }

  /// Drops the flow that is under way, with all that it holds; nothing of it has happened.
  ///
  /// - Returns: How many staged edits were dropped; nil where that cannot be read.
  /// - Throws: `AppError.noFlow` where none is under way.
  @discardableResult
  public func discardFlow() throws -> Int? {
    try store.write { transaction in
      guard try transaction.reading.unsavedEdit() != nil else { throw AppError.noFlow(.edit) }
      var count: Int?
      switch Result(catching: { try transaction.reading.flow() }) {
      case .success(.edit(let flow)?): count = flow.edits.count
      case .success: count = 0
      case .failure(AppError.flowUnreadable): count = nil
      case .failure(let error): throw error
      }
      try transaction.keep(nil)
      return count
    }
  }
}
