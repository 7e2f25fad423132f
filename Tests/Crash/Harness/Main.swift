import FolioSystem

/// Breaks the storage of both sides on purpose, and holds what is left against what was promised.
///
///     folio-crash [PROOF ...] [--long] [--seed N] [--count N] [--steps N] [--parts N]
///       [--wrong NAME] [--only N]
///
/// Without names all proofs are run, in their short form. The seed is new each time, and printed.
/// Prints a line for each, with how much was done and in how many seconds, and ends with 1 where
/// something is broken.
@main enum Main {
  static func main() {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      switch words.first {
      case "work": try Work(words.dropFirst()).perform()
      case "part": try part(Array(words.dropFirst()))
      default: if try !report(words) { RunningProgram.exit(1) }
      }
    } catch {
      print("\(error)")
      RunningProgram.exit(1)
    }
  }

  private static func report(_ words: [String]) throws -> Bool {
    var (settings, names) = try Settings.reading(words)
    let isLong = names.contains("--long")
    names.removeAll { $0 == "--long" }
    if settings.seed == 0 { settings.seed = UInt64.random(in: 1...999_999_999) }
    let proofs = try names.isEmpty ? Proof.all : names.map(proof)
    print("seed \(settings.seed)")
    var report = Report()
    for proof in proofs {
      var own = settings
      if own.count == 0 { own.count = isLong ? proof.long : proof.short }
      try report.run(proof, own)
    }
    if proofs.count > 1 { report.end() }
    return report.isSound
  }

  private static func part(_ words: [String]) throws {
    let (settings, names) = try Settings.reading(words)
    guard let name = names.first else { throw Finding("part takes a proof's name") }
    do {
      print(try proof(name).run(settings).line)
    } catch let skipped as Skipped {
      print("skipped: \(skipped.reason)")
    }
  }

  private static func proof(_ name: String) throws -> Proof {
    guard let found = Proof.all.first(where: { $0.name == name }) else {
      let names = Proof.all.map(\.name).joined(separator: ", ")
      throw Finding("there is no proof \(name); there are: \(names)")
    }
    return found
  }
}
