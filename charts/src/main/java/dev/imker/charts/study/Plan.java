package dev.imker.charts.study;

import java.util.List;

/** The units of one kind of analysis, round by round, and what they amount to. */
interface Plan {
  /**
   * The units of the rounds that take long, as far as they can be known before: which combinations
   * later rounds are about depends on results, how many they are does not.
   */
  default List<List<WorkUnit>> foreseen() {
    return List.of(round(0, List.of()));
  }

  /** The units of a round, given all results of the rounds before; none when all is done. */
  List<WorkUnit> round(int round, List<PartialResult> done);

  /**
   * The result; of what there is, if the analysis did not run to its end.
   *
   * @param complete whether it ran to its end
   */
  AnalysisResult merge(List<PartialResult> done, boolean complete);
}
