/// All benchmarks, in the order in which they run.
enum Benchmarks {
  static var all: [any Benchmark.Type] {
    [
      PageBenchmark.self,
      SaveBenchmark.self,
      ListBenchmark.self,
      ObserveBenchmark.self,
      RestoreBenchmark.self,
      AppendBenchmark.self,
    ]
  }
}
