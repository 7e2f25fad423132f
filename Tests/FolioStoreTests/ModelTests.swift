import FolioStore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store in each place against plain dictionaries, under random edits, entries, pages, voids and prices.
@Suite struct ModelTests {
  /// As many runs as the environment's `FOLIO_MODEL_RUNS` says, or a few.
  static let runs = 0..<(getenv("FOLIO_MODEL_RUNS").flatMap { Int(String(cString: $0)) } ?? 4)

  @Test(arguments: runs, PlaceKind.allCases)
  func storeIsWhatTheModelSays(run: Int, place: PlaceKind) throws {
    let random = SeededRandom("storeIsWhatTheModelSays(\(run))")
    var world = try RandomWorld(random, in: place)
    for step in 0..<120 { try world.step(step) }
    try world.finish()
  }

  /// The control: a comparison that lets this pass would count for nothing.
  @Test(arguments: PlaceKind.allCases)
  func whatTheModelMissesIsNoticed(place: PlaceKind) throws {
    var world = try RandomWorld(SeededRandom("whatTheModelMissesIsNoticed"), in: place)
    world.isForgetful = true
    withKnownIssue("what is saved is kept from the model on purpose") {
      for step in 0..<200 {
        try world.step(step)
        let held = try world.store.read { try $0.status().outbox.count }
        if held > world.model.pending.count { return }
      }
    }
  }
}
