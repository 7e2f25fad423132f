/// What was likely meant by a word that is not known.
enum Suggestion {
  /// The name that differs least from `word`, where few letters differ; nil where none is near.
  static func nearest(to word: String, among names: [String]) -> String? {
    let limit = max(1, word.count / 3)
    return names.map { (name: $0, distance: distance(Array(word), Array($0))) }
      .filter { $0.distance <= limit || $0.name.hasPrefix(word) && word.count > 1 }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  /// How many letters are to be added, left out, replaced or swapped with their neighbour.
  ///
  /// The optimal string alignment distance. O(a x b).
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 1..<(a.count + 1) {
      var row = [i]
      for j in 1..<(b.count + 1) {
        var best = min(
          rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, rows[i - 2][j - 2] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
