public import FolioDomain
internal import FolioStore

/// Edits that are staged one by one and saved together, as one transaction.
///
/// They are kept as what is wanted ("set to 10"), not as what it comes to: each is checked on top of
/// those before it when it is staged, and all of them are resolved and checked again when they are
/// saved, on the state as it is then.
public struct EditFlow: Hashable, Sendable {
  /// The most edits that can be staged.
  public static let editCountMax = 1_000

  /// When it was begun, by this device's clock.
  public var begunAt: Timestamp
  /// What is staged, in the order it was.
  public internal(set) var edits: [Edit]

  init(begunAt: Timestamp, edits: [Edit] = []) {
    self.begunAt = begunAt
    self.edits = edits
  }

  /// Stages an edit on top of the others.
  ///
  /// - Throws: What the domain says of the edit, or ``StagedEditError`` where one before it can no
  ///   longer be made; nothing is staged then.
  mutating func stage(_ edit: Edit, on state: borrowing StoreReadTransaction) throws -> EditOutcome
  {
    guard edits.count < Self.editCountMax else {
      throw AppError.tooManyEdits(max: Self.editCountMax)
    }
    var (staged, _) = try replay(on: state)
    let outcome = try staged.stage(edit, on: state)
    edits.append(edit)
    return outcome
  }

  /// Stages everything anew on a state.
  func replay(on state: borrowing StoreReadTransaction) throws -> (StagedEdits, [EditOutcome]) {
    var staged = StagedEdits()
    var outcomes: [EditOutcome] = []
    for (index, edit) in edits.enumerated() {
      do {
        outcomes.append(try staged.stage(edit, on: state))
      } catch let error as any DomainError where !(error is StoreError) {
        throw StagedEditError(number: index + 1, cause: error)
      }
    }
    return (staged, outcomes)
  }
}

/// Why an edit that was staged can no longer be made: what it rests on has changed since.
public struct StagedEditError: DomainError {
  /// Its place among the staged edits, from 1.
  public var number: Int
  /// What the domain says of it.
  public var cause: any DomainError

  /// The code of the rule that it breaks.
  public var code: String { cause.code }
  /// What is wrong, and with which edit.
  public var message: String { "staged edit \(number): \(cause.message)" }
  /// What to do about it.
  public var hint: String {
    "\(cause.hint); staged edits stay as they are until they are undone, saved or discarded"
  }
}

/// What staged edits would change, if they were saved now.
public struct EditReview: Hashable, Sendable {
  /// The edits.
  public var flow: EditFlow
  /// The assets that would change, each with what it is before and after, in byte order.
  public var changes: [AssetChange]
  /// How many operations the transaction would have; with none there would be no transaction.
  public var operationCount: Int
}

/// What an edit came to.
public struct MadeEdit: Hashable, Sendable {
  /// What it comes to, on top of the edits before it.
  public var outcome: EditOutcome
  /// Whether it was staged in an edit that is under way, and nothing has changed yet.
  public var isStaged: Bool
}
