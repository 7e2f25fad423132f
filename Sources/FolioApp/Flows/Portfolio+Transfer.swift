internal import FolioDomain
public import FolioStore

extension Portfolio {
  /// Begins a transfer and says what is asked first.
  ///
  ///     var screen = try portfolio.beginTransfer()
  ///     while screen.step != .confirm {
  ///       screen = try portfolio.answer(ask(screen))
  ///     }
  ///     try portfolio.confirmTransfer()
  /// - Throws: `AppError.flowUnderWay` where a flow is under way, in this process or another.
  public func beginTransfer() throws -> TransferScreen {
    let flow = TransferFlow(begunAt: options.clock.now())
    return try store.write { transaction in
      try transaction.begin(.transfer(flow))
      return try flow.screen(on: transaction.reading)
    }
  }

  /// What is asked next in the transfer that is under way, on the state as it is.
  ///
  /// After a crash, this is where the user goes on.
  /// - Throws: `AppError.noFlow`.
  public func transferScreen() throws -> TransferScreen {
    try store.read { state in try state.transferFlow().screen(on: state) }
  }

  /// Takes an answer in, and says what is asked next.
  ///
  /// - Throws: `AppError.noFlow`, `AppError.stepOutOfOrder`, and what the domain says of the answer;
  ///   the flow is as it was then.
  public func answer(_ answer: TransferAnswer) throws -> TransferScreen {
    try changeTransfer { flow, state in try flow.take(answer, on: state) }
  }

  /// Takes the last answer back, and says what is asked.
  ///
  /// - Throws: `AppError.noFlow`.
  public func goBackInTransfer() throws -> TransferScreen {
    try changeTransfer { flow, _ in flow.goBack() }
  }

  /// Saves the transfer, checked once more, and ends the flow.
  ///
  /// - Throws: `AppError.noFlow`; `AppError.stepOutOfOrder` where something is still asked;
  ///   `TransferError`, `EditError`, `StoreError`. The flow stays as it was then.
  @discardableResult
  public func confirmTransfer() throws -> SavedEdits {
    try store.write { transaction in
      let screen = try transaction.reading.transferFlow().screen(on: transaction.reading)
      guard case .confirm(let transfer) = screen else {
        throw AppError.stepOutOfOrder(asked: screen.step, answered: .confirm)
      }
      let saved = try transaction.save([try transfer.edit(on: transaction.reading)])
      try transaction.keep(nil)
      return saved
    }
  }

  private func changeTransfer(
    _ change: (inout TransferFlow, borrowing StoreReadTransaction) throws -> Void
  ) throws -> TransferScreen {
    try store.write { transaction in
      var flow = try transaction.reading.transferFlow()
      try change(&flow, transaction.reading)
      try transaction.keep(.transfer(flow))
      return try flow.screen(on: transaction.reading)
    }
  }
}
