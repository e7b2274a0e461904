package dev.imker.server.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.imker.model.TaskState;
import dev.imker.server.http.Json;
import dev.imker.store.JobFilter;
import dev.imker.store.JobOrder;
import dev.imker.store.JobRecord;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes listings of a large job that nobody asked for, so that the machine's code for them is ready
 * when somebody does.
 */
final class ListingRehearsal {
  private static final Logger LOG = LoggerFactory.getLogger(ListingRehearsal.class);
  private static final int ROUNDS = 15;
  private static final int LIMIT = 100;

  private final JobViews jobs;
  private final TaskPages pages;
  private final TaskRoutes tasks;

  ListingRehearsal(JobViews jobs, TaskPages pages, TaskRoutes tasks) {
    this.jobs = jobs;
    this.pages = pages;
    this.tasks = tasks;
  }

  void run(JobRecord job) {
    try {
      for (int i = 0; i < ROUNDS; i++) {
        Json.MAPPER.writeValueAsBytes(jobs.page(JobFilter.ALL, JobOrder.NEWEST, null, LIMIT));
        page(job, null, Set.of(), 0);
        page(job, null, Set.of(TaskState.CANCELLED), 0);
        for (TaskOrder.Key key : List.of(TaskOrder.Key.DURATION, TaskOrder.Key.STARTED)) {
          page(job, key, Set.of(), i * job.taskCount() / ROUNDS);
          page(job, key, Set.of(TaskState.DONE), 0);
        }
      }
    } catch (JsonProcessingException | RuntimeException e) {
      LOG.debug("A listing was not rehearsed", e); // the job was removed, or the server stops
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void page(JobRecord job, TaskOrder.@Nullable Key key, Set<TaskState> states, int from)
      throws JsonProcessingException, InterruptedException {
    TaskPages.Question question =
        new TaskPages.Question(states, key, key != null, from, LIMIT, false);
    Json.MAPPER.writeValueAsBytes(pages.page(tasks.views(job), job, question));
  }
}
