package dev.imker.store;

import dev.imker.model.BlobId;
import dev.imker.model.ProjectId;
import dev.imker.model.account.BoardItem;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Queries of the blackboard; usable from any thread. */
public interface BoardReads {
  Optional<BoardItem> item(ProjectId project, String name);

  /**
   * Items of a project in the order of their names.
   *
   * @param text what name or description contains, in any case; empty for all
   * @param after only names behind this one
   */
  List<BoardItem> search(ProjectId project, String text, String after, int limit);

  int count(ProjectId project);

  /** Expired items. */
  List<BoardItem> expired(long nowMillis, int limit);

  /** Passes on the content of every item, with its project. */
  void forEachBlob(long nowMillis, BiConsumer<ProjectId, BlobId> action);
}
