package dev.imker.server.internal.rest.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.JobFileWriter;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.JobId;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.StageIndex;
import dev.imker.server.http.ApiException;
import org.junit.jupiter.api.Test;

class JobPartTest {
  private static final JobId JOB = new JobId(12);

  private static JobSpec job(String yaml) {
    return JobFileReader.read("job.yaml", yaml, JobFiles.unknown()).orThrow().getFirst().spec();
  }

  private static final String STAGED =
      """
      stages:
        - {name: a, command: "x ${n} ${m}", sweep: {n: 1..3, m: [u, v]}}
        - {name: b, command: y, after: a}
        - {name: c, command: "z ${k}", sweep: {k: 1..2}, after: b}
      """;

  @Test
  void some_tasks_keep_their_values_and_other_stages_are_left_out() {
    JobSpec part = JobPart.of(JOB, job(STAGED), "12.2,12.5,12.8..9");
    assertThat(part.stages()).extracting(stage -> stage.name()).containsExactly("a", "c");
    StageIndex stages = StageIndex.of(part);
    assertThat(stages.taskCount()).isEqualTo(4);
    assertThat(stages.params(0)).containsExactly("1", "v");
    assertThat(stages.params(1)).containsExactly("3", "u");
    assertThat(part.stages().getLast().after()).isEmpty();
    assertThat(job(JobFileWriter.write(part)).stages()).isEqualTo(part.stages());
  }

  @Test
  void a_whole_job_stays_as_it_is() {
    assertThat(JobPart.of(JOB, job(STAGED), "12.1..9")).isEqualTo(job(STAGED));
  }

  @Test
  void memory_takes_the_place_of_what_was_asked_for() {
    JobSpec more = JobPart.withMemory(job("command: x\nneeds: {memory: 1 GB, cores: 2}"), 3L << 30);
    assertThat(more.stages().getFirst().needs().alternatives().getFirst().memoryBytes())
        .isEqualTo(3L << 30);
    assertThat(more.stages().getFirst().needs().alternatives().getFirst().cores()).isEqualTo(2);
    assertThat(JobPart.withMemory(job("command: x"), 5).stages().getFirst().needs().alternatives())
        .hasSize(1);
  }

  @Test
  void what_cannot_be_meant_is_refused_in_words() {
    assertThatThrownBy(() -> JobPart.of(JOB, job(STAGED), "13.1"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("Name tasks of job 12 only");
    assertThatThrownBy(() -> JobPart.of(JOB, job(STAGED), "12.10"))
        .hasMessageContaining("has only 9 tasks");
    assertThatThrownBy(() -> JobPart.of(JOB, job(STAGED), "12"))
        .hasMessageContaining("Name single tasks");
    assertThatThrownBy(() -> JobPart.of(JOB, job(STAGED), "last"))
        .hasMessageContaining("not the number");
  }
}
